import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Idempotency keys belong to the client, and are kept until they expire.
 *
 * `scoped_to` says what the id is a hash of: `client`, `alias` (the id that the release before gives the same request), or
 * `secret`, which is what that release writes, because it does not name the column. As long as there is a row of the last
 * kind, requests are known by both ids. A database that is in use gets one such row of nobody's, so that this lasts for a
 * day although the release before may have had nothing to do lately.
 *
 * Both defaults are constants to PostgreSQL, so that no row is rewritten: what is stored already expires a day from now.
 */
export class KeysOfClients1763710000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE idempotency_keys
        ADD COLUMN scoped_to text NOT NULL DEFAULT 'secret',
        ADD COLUMN expires_at timestamptz NOT NULL DEFAULT now() + interval '24 hours'`);
    await queryRunner.query(`
      ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_scope
        CHECK (scoped_to IN ('secret', 'client', 'alias')) NOT VALID`);
    await queryRunner.query(`
      INSERT INTO idempotency_keys (id, fingerprint, locked_until)
      SELECT sha256(gen_random_uuid()::text::bytea), '', now() WHERE EXISTS (SELECT FROM skus)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE idempotency_keys DROP COLUMN scoped_to, DROP COLUMN expires_at`);
  }
}
