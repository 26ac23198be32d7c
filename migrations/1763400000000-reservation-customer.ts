import { MigrationInterface, QueryRunner } from 'typeorm';

/** A caller who proved to be a customer when the hold was made may use it without its access token. */
export class ReservationCustomer1763400000000 implements MigrationInterface {
  readonly name = 'ReservationCustomer1763400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reservations ADD COLUMN customer_id text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reservations DROP COLUMN customer_id`);
  }
}
