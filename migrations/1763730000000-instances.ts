import { MigrationInterface, QueryRunner } from 'typeorm';

/** The running instances: each writes its row every few seconds, which also proves that the database takes writes. */
export class Instances1763730000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE instances (
        id text PRIMARY KEY,
        host text NOT NULL,
        pid integer NOT NULL,
        release text NOT NULL,
        state text NOT NULL CHECK (state IN ('READY', 'DEGRADED', 'UNAVAILABLE', 'DRAINING')),
        started_at timestamptz NOT NULL,
        seen_at timestamptz NOT NULL
      ) WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE instances`);
  }
}
