import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Money that the provider captured although the order had been given up, or in addition to its payment. It has to be
 * paid back, and it is not a state of the payment, which was DECLINED. Our ledger is payments plus these charges.
 */
export class StrayCharges1763300000000 implements MigrationInterface {
  readonly name = 'StrayCharges1763300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE stray_charges (
        id uuid PRIMARY KEY,
        provider text NOT NULL,
        transaction_id text NOT NULL,
        order_id uuid NOT NULL,
        amount bigint NOT NULL CHECK (amount > 0),
        refunded_amount bigint NOT NULL DEFAULT 0,
        currency char(3) NOT NULL,
        saga_id uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT stray_charges_once UNIQUE (provider, transaction_id),
        CONSTRAINT stray_charges_never_over_refunded CHECK (refunded_amount BETWEEN 0 AND amount)
      )`);
    await runner.query(`CREATE INDEX stray_charges_by_order ON stray_charges (order_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE stray_charges`);
  }
}
