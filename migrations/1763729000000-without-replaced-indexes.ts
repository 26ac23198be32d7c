import { MigrationInterface, QueryRunner } from 'typeorm';
import { demandMigration, dropIndexOnline } from '../src/platform/postgres/schema/online-ddl.js';

const SINCE = 1_763_722_000_000;

/**
 * The indexes by which releases before 1763722000000 find open sagas and holds. As long as they are there, no update of
 * these tables stays on its page; without them those releases would read whole tables every second.
 */
export class WithoutReplacedIndexes1763729000000 implements MigrationInterface {
  readonly transaction = false;
  readonly isContraction = true;

  async up(queryRunner: QueryRunner): Promise<void> {
    await demandMigration(queryRunner, SINCE);
    for (const name of ['sagas_open', 'reservations_held', 'reservations_one_per_order'])
      await dropIndexOnline(queryRunner, name);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX sagas_open ON sagas (due_at) WHERE state IN ('RUNNING', 'WAITING', 'COMPENSATING', 'STUCK')`,
    );
    await queryRunner.query(`CREATE INDEX reservations_held ON reservations (expires_at) WHERE state = 'HELD'`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX reservations_one_per_order ON reservations (order_id) WHERE order_id IS NOT NULL AND state IN ('HELD', 'COMMITTED')`,
    );
    await queryRunner.query(`UPDATE schema_compatibility SET oldest_compatible = 0`);
  }
}
