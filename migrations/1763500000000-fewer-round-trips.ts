import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets a transaction be sent in one piece, and write less. `expect_rows` makes the server refuse a transaction whose
 * guarded update did not touch all rows, so that its COMMIT need not wait for a check by the client. The outbox keeps
 * the events; a short queue with one row per transaction lists the unpublished ones, because marking the events would
 * write each of them, and its index entries, a second time. A saga stores the changes of its data rather than all of it
 * again.
 */
export class FewerRoundTrips1763500000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION expect_rows(actual bigint, expected bigint) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF actual <> expected THEN
          RAISE EXCEPTION 'touched % rows instead of %', actual, expected USING ERRCODE = 'CS001';
        END IF;
      END $$`);
    await queryRunner.query(`
      CREATE TABLE outbox_queue (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        positions bigint[] NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`);
    await queryRunner.query(`
      INSERT INTO outbox_queue (positions)
      SELECT array_agg(position ORDER BY position) FROM outbox WHERE published_at IS NULL HAVING count(*) > 0`);
    await queryRunner.query(
      `ALTER TABLE outbox DROP COLUMN published_at, DROP CONSTRAINT outbox_pkey, ADD PRIMARY KEY (position)`,
    );
    await queryRunner.query(`ALTER TABLE outbox RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)`);
    await queryRunner.query(`ALTER TABLE sagas ADD COLUMN changes json`);
    await queryRunner.query(`CREATE INDEX webhook_inbox_dead ON webhook_inbox (id) WHERE state = 'DEAD'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX webhook_inbox_dead`);
    await queryRunner.query(`UPDATE sagas SET data = (data::jsonb || changes::jsonb)::json WHERE changes IS NOT NULL`);
    await queryRunner.query(`ALTER TABLE sagas DROP COLUMN changes`);
    await queryRunner.query(
      `ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)`,
    );
    await queryRunner.query(
      `ALTER TABLE outbox ADD COLUMN published_at timestamptz, DROP CONSTRAINT outbox_pkey, ADD PRIMARY KEY (id)`,
    );
    await queryRunner.query(`
      UPDATE outbox SET published_at = now()
      WHERE NOT EXISTS (SELECT FROM outbox_queue WHERE outbox.position = ANY (outbox_queue.positions))`);
    await queryRunner.query(`CREATE INDEX outbox_unpublished ON outbox (position) WHERE published_at IS NULL`);
    await queryRunner.query(`DROP TABLE outbox_queue`);
    await queryRunner.query(`DROP FUNCTION expect_rows(bigint, bigint)`);
  }
}
