import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `idempotency_digest` finds an order by the Idempotency-Key of its checkout after the key itself is forgotten. A digest, as
 * whoever has the key and the storefront's key, which is public, may ask for the answer again.
 */
export class CustomerSide1763740000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE orders ADD COLUMN idempotency_digest bytea`);
    await queryRunner.query(`ALTER TABLE sandbox.charges ADD COLUMN return_url text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE sandbox.charges DROP COLUMN return_url`);
    await queryRunner.query(`ALTER TABLE orders DROP COLUMN idempotency_digest`);
  }
}
