import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Data to find a payment however long it took, and to notice that a refund was taken back: how often a refund failed
 * after it had settled, which refund of the provider paid a stray charge back, and until when the ledgers were
 * reconciled. The sandbox's indexes contain only changed rows, so that a charge costs no more than before.
 */
export class PaymentsInDoubt1763700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE refunds ADD COLUMN late_failures integer NOT NULL DEFAULT 0`);
    await queryRunner.query(`
      ALTER TABLE stray_charges ADD COLUMN provider_refund_id text, ADD COLUMN late_failures integer NOT NULL DEFAULT 0`);
    await queryRunner.query(`
      CREATE TABLE reconciliations (
        provider text PRIMARY KEY,
        reconciled_until timestamptz NOT NULL
      )`);
    await queryRunner.query(`
      ALTER TABLE sandbox.charges ADD COLUMN forgotten_key text COLLATE "C", ADD COLUMN updated_at timestamptz`);
    await queryRunner.query(
      `CREATE INDEX charges_forgotten ON sandbox.charges (forgotten_key) WHERE forgotten_key IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX charges_changed ON sandbox.charges (updated_at) WHERE updated_at IS NOT NULL`,
    );
    await queryRunner.query(`
      ALTER TABLE sandbox.refunds ADD COLUMN forgotten_key text COLLATE "C", ADD COLUMN due_at timestamptz, ADD COLUMN updated_at timestamptz`);
    await queryRunner.query(`CREATE INDEX refunds_due ON sandbox.refunds (due_at) WHERE due_at IS NOT NULL`);
    await queryRunner.query(
      `CREATE INDEX refunds_changed ON sandbox.refunds (updated_at) WHERE updated_at IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE sandbox.refunds DROP COLUMN forgotten_key, DROP COLUMN due_at, DROP COLUMN updated_at`,
    );
    await queryRunner.query(`ALTER TABLE sandbox.charges DROP COLUMN forgotten_key, DROP COLUMN updated_at`);
    await queryRunner.query(`DROP TABLE reconciliations`);
    await queryRunner.query(`ALTER TABLE stray_charges DROP COLUMN provider_refund_id, DROP COLUMN late_failures`);
    await queryRunner.query(`ALTER TABLE refunds DROP COLUMN late_failures`);
  }
}
