import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events on their way to the stream, in the order in which they have to arrive there: `id` is drawn by the one relay that works at
 * a time. And commands that could not be processed, each once, whatever is delivered again.
 */
export class Streams1763750000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE stream_queue (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id uuid NOT NULL,
        type text NOT NULL,
        body text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`
      CREATE TABLE dead_letters (
        id uuid PRIMARY KEY,
        source text NOT NULL CONSTRAINT dead_letters_once UNIQUE,
        message_id text,
        body text,
        code text NOT NULL,
        reason text NOT NULL,
        deliveries integer NOT NULL,
        state text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'RETRIED', 'DISCARDED')),
        order_id uuid,
        resolved_by text,
        resolved_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX dead_letters_open ON dead_letters (id) WHERE state = 'OPEN'`);
    await queryRunner.query(`CREATE INDEX dead_letters_by_age ON dead_letters USING brin (created_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE dead_letters, stream_queue`);
  }
}
