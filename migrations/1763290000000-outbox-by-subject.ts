import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Event streams look up the events of one order. The table is a queue: every row is written twice within a second, so
 * it is vacuumed early, before the index of unpublished events fills with dead entries.
 */
export class OutboxBySubject1763290000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX outbox_by_subject ON outbox (subject)`);
    await queryRunner.query(
      `ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE outbox RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)`);
    await queryRunner.query(`DROP INDEX outbox_by_subject`);
  }
}
