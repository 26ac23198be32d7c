import { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace that an event, a delivery or a callback belongs to, as a `traceparent`; null where nothing is traced. */
export class Traces1763860000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['outbox', 'webhook_deliveries', 'webhook_inbox'])
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN trace text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['outbox', 'webhook_deliveries', 'webhook_inbox'])
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN trace`);
  }
}
