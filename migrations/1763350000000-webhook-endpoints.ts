import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deliveries to one endpoint about one subject form a chain in the order of `position`. Only the head of a chain has a
 * `next_attempt_at`; the others have none, so that the query for due deliveries does not read them.
 */
export class WebhookEndpoints1763350000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE webhook_endpoints (
        id uuid PRIMARY KEY,
        url text NOT NULL,
        events text[] NOT NULL CHECK (cardinality(events) > 0),
        description text NOT NULL DEFAULT '',
        secret bytea NOT NULL,
        previous_secret bytea,
        previous_secret_until timestamptz,
        disabled_at timestamptz,
        disabled_reason text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`
      CREATE TABLE webhook_deliveries (
        id uuid PRIMARY KEY,
        position bigint GENERATED ALWAYS AS IDENTITY,
        endpoint_id uuid NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
        event_id uuid NOT NULL,
        type text NOT NULL,
        subject text NOT NULL,
        body text NOT NULL,
        state text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'RETRYING', 'DELIVERED', 'DEAD')),
        attempts integer NOT NULL DEFAULT 0,
        last_status integer,
        last_error text,
        last_attempt_at timestamptz,
        next_attempt_at timestamptz,
        delivered_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT webhook_deliveries_once UNIQUE (endpoint_id, event_id)
      )`);
    await queryRunner.query(
      `CREATE INDEX webhook_deliveries_chain ON webhook_deliveries (endpoint_id, subject, position) WHERE state IN ('PENDING', 'RETRYING')`,
    );
    await queryRunner.query(
      `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE state IN ('PENDING', 'RETRYING') AND next_attempt_at IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (endpoint_id) WHERE state = 'DEAD'`,
    );
    await queryRunner.query(`CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, id)`);
    await queryRunner.query(`CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries USING brin (created_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE webhook_deliveries, webhook_endpoints`);
  }
}
