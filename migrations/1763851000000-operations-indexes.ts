import { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from '../src/platform/postgres/schema/online-ddl.js';

/** The callbacks and the deliveries of one order. Neither column ever changes. */
export class OperationsIndexes1763851000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexOnline(queryRunner, {
      name: 'webhook_inbox_by_transaction',
      on: 'webhook_inbox (transaction_id)',
    });
    await createIndexOnline(queryRunner, {
      name: 'webhook_deliveries_by_subject',
      on: 'webhook_deliveries (subject)',
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX webhook_deliveries_by_subject, webhook_inbox_by_transaction`);
  }
}
