import { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from '../src/platform/postgres/schema/online-ddl.js';

/**
 * The indexes of due keys and of keys of the previous release. The range index by age stays for the purge of that
 * release, and is of no use to this one: once the table has turned over, every range of pages contains old rows.
 */
export class KeysOfClientsIndexes1763710100000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexOnline(queryRunner, { name: 'idempotency_keys_expiring', on: 'idempotency_keys (expires_at)' });
    await createIndexOnline(queryRunner, {
      name: 'idempotency_keys_of_secrets',
      on: `idempotency_keys (expires_at) WHERE scoped_to = 'secret'`,
    });
    await queryRunner.query(`ALTER TABLE idempotency_keys VALIDATE CONSTRAINT idempotency_keys_scope`);
  }

  /** TypeORM reverts inside a transaction. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX idempotency_keys_of_secrets, idempotency_keys_expiring`);
  }
}
