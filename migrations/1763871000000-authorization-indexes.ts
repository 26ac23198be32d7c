import { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from '../src/platform/postgres/schema/online-ddl.js';

/**
 * The few payments that are authorised or disputed. Not by state: an index that mentions it would take every update of a
 * payment off its page (ADR 14). These columns are NULL in all other payments and stay so.
 */
export class AuthorizationIndexes1763871000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexOnline(queryRunner, {
      name: 'payments_authorized',
      on: 'payments (authorized_until) WHERE authorized_until IS NOT NULL',
    });
    await createIndexOnline(queryRunner, {
      name: 'payments_disputed',
      on: `payments ((dispute ->> 'state')) WHERE dispute IS NOT NULL`,
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX payments_disputed, payments_authorized`);
  }
}
