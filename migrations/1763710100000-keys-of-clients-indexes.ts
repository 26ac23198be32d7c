import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the purge looks for, and what the release before has left. The range index by age stays for the purge of that
 * release, and is of no use to this one: where the table has turned over once, every range of pages has had old rows.
 *
 * Outside a transaction, so that checkouts go on meanwhile. An attempt that was cut short leaves an invalid index behind,
 * which is why each is dropped first.
 */
export class KeysOfClientsIndexes1763710100000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SET statement_timeout = 0`);
    try {
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS idempotency_keys_expiring`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY idempotency_keys_expiring ON idempotency_keys (expires_at)`);
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS idempotency_keys_of_secrets`);
      await queryRunner.query(
        `CREATE INDEX CONCURRENTLY idempotency_keys_of_secrets ON idempotency_keys (expires_at) WHERE scoped_to = 'secret'`,
      );
      await queryRunner.query(`ALTER TABLE idempotency_keys VALIDATE CONSTRAINT idempotency_keys_scope`);
    } finally {
      await queryRunner.query(`RESET statement_timeout`);
    }
  }

  /** TypeORM reverts inside a transaction. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX idempotency_keys_of_secrets, idempotency_keys_expiring`);
  }
}
