import { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexOnline } from '../src/platform/postgres/schema/online-ddl.js';

/**
 * How an admin finds an order. None of these columns ever changes, so that updates of orders stay on their page. The list of
 * pending entries of the index by SKU is off: the checkout that fills it would sort in thousands of them at once.
 */
export class OrderSearch1763741000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndexOnline(queryRunner, {
      name: 'orders_by_email',
      on: 'orders (lower(customer_email), id) WHERE customer_email IS NOT NULL',
    });
    await createIndexOnline(queryRunner, {
      name: 'orders_by_sku',
      on: `orders USING gin (jsonb_path_query_array(lines, '$[*].sku') jsonb_path_ops) WITH (fastupdate = off)`,
    });
    await createIndexOnline(queryRunner, {
      name: 'orders_by_key',
      on: 'orders (idempotency_digest) WHERE idempotency_digest IS NOT NULL',
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX orders_by_email, orders_by_sku, orders_by_key`);
  }
}
