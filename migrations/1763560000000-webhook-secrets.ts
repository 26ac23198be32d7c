import { MigrationInterface, QueryRunner } from 'typeorm';

/** All secrets whose overlap is not over: one alone would be dropped early by a second rotation on the same day. */
export class WebhookSecrets1763560000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE webhook_endpoints
        ADD COLUMN previous_secrets bytea[] NOT NULL DEFAULT '{}',
        ADD COLUMN previous_secrets_until timestamptz[] NOT NULL DEFAULT '{}'`);
    await queryRunner.query(`
      UPDATE webhook_endpoints SET previous_secrets = ARRAY[previous_secret], previous_secrets_until = ARRAY[previous_secret_until]
      WHERE previous_secret IS NOT NULL AND previous_secret_until IS NOT NULL`);
    await queryRunner.query(
      `ALTER TABLE webhook_endpoints DROP COLUMN previous_secret, DROP COLUMN previous_secret_until`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE webhook_endpoints ADD COLUMN previous_secret bytea, ADD COLUMN previous_secret_until timestamptz`,
    );
    await queryRunner.query(`
      UPDATE webhook_endpoints SET previous_secret = previous_secrets[cardinality(previous_secrets)],
        previous_secret_until = previous_secrets_until[cardinality(previous_secrets_until)]
      WHERE cardinality(previous_secrets) > 0`);
    await queryRunner.query(
      `ALTER TABLE webhook_endpoints DROP COLUMN previous_secrets, DROP COLUMN previous_secrets_until`,
    );
  }
}
