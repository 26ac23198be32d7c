import { MigrationInterface, QueryRunner } from 'typeorm';
import { backfill } from '../src/platform/postgres/schema/backfill.js';
import { createIndexOnline } from '../src/platform/postgres/schema/online-ddl.js';

/** The indexes of reservations by columns that a sale does not change (see UpdatesOnThePage1763721000000). */
export class ReservationIndexes1763722000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await backfill(queryRunner, {
      table: 'reservations',
      key: 'id',
      set: 'state = state', // the trigger sets the rest
      where: `state <> 'COMMITTED' AND sweep_at IS NULL AND ended_at IS NULL AND pinned_by IS NULL`,
    });
    await createIndexOnline(queryRunner, {
      name: 'reservations_sweep',
      on: 'reservations (sweep_at) WHERE sweep_at IS NOT NULL',
    });
    await createIndexOnline(queryRunner, {
      name: 'reservations_one_live_per_order',
      isUnique: true,
      on: 'reservations (order_id) WHERE order_id IS NOT NULL AND ended_at IS NULL',
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX reservations_sweep, reservations_one_live_per_order`);
  }
}
