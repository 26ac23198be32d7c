import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Foreign keys stay inside a module (lines to their reservation, refunds to their payment): domains do not know each
 * other's tables, and a key into `skus` would lock the hot stock row once more for every line.
 */
export class InitialSchema1763100000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE skus (
        sku text PRIMARY KEY CHECK (length(sku) BETWEEN 1 AND 200),
        name text NOT NULL,
        unit_amount bigint NOT NULL CHECK (unit_amount >= 0),
        currency char(3) NOT NULL,
        sku_group text,
        on_hand integer NOT NULL,
        reserved integer NOT NULL DEFAULT 0,
        fence bigint NOT NULL DEFAULT 0,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT skus_never_oversold CHECK (reserved >= 0 AND reserved <= on_hand)
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`CREATE INDEX skus_by_group ON skus (sku_group, sku) WHERE sku_group IS NOT NULL`);
    await queryRunner.query(`
      CREATE TABLE stock_movements (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        sku text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('INITIAL', 'ADJUSTMENT', 'RESTOCK')),
        delta integer NOT NULL,
        on_hand_after integer NOT NULL,
        reason text NOT NULL,
        actor text NOT NULL,
        reference uuid,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX stock_movements_by_sku ON stock_movements (sku, id)`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX stock_movements_one_initial ON stock_movements (sku) WHERE kind = 'INITIAL'`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX stock_movements_restocked_once ON stock_movements (reference, sku) WHERE kind = 'RESTOCK'`,
    );
    await queryRunner.query(`
      CREATE TABLE reservations (
        id uuid PRIMARY KEY,
        state text NOT NULL CHECK (state IN ('HELD', 'COMMITTED', 'RELEASED', 'EXPIRED')),
        currency char(3) NOT NULL,
        total bigint NOT NULL CHECK (total >= 0),
        alternative integer NOT NULL DEFAULT 0,
        expires_at timestamptz NOT NULL,
        extended_seconds integer NOT NULL DEFAULT 0 CHECK (extended_seconds >= 0),
        order_id uuid,
        pinned_by uuid,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      ) WITH (fillfactor = 80)`);
    await queryRunner.query(`CREATE INDEX reservations_held ON reservations (expires_at) WHERE state = 'HELD'`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX reservations_one_per_order ON reservations (order_id) WHERE order_id IS NOT NULL AND state IN ('HELD', 'COMMITTED')`,
    );
    await queryRunner.query(`
      CREATE TABLE reservation_lines (
        reservation_id uuid NOT NULL REFERENCES reservations (id) ON DELETE CASCADE,
        sku text NOT NULL,
        name text NOT NULL,
        quantity integer NOT NULL CHECK (quantity > 0),
        unit_amount bigint NOT NULL CHECK (unit_amount >= 0),
        PRIMARY KEY (reservation_id, sku)
      )`);
    await queryRunner.query(`
      CREATE TABLE orders (
        id uuid PRIMARY KEY,
        state text NOT NULL CHECK (state IN ('PENDING', 'CONFIRMED', 'REJECTED', 'CANCELLED')),
        currency char(3) NOT NULL,
        total bigint NOT NULL CHECK (total >= 0),
        lines jsonb NOT NULL CHECK (jsonb_typeof(lines) = 'array' AND jsonb_array_length(lines) > 0),
        customer_id text,
        customer_email text,
        saga_id uuid NOT NULL,
        reservation_id uuid NOT NULL,
        rejection jsonb,
        cancelled_by uuid,
        metadata jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT orders_rejected_with_reason CHECK ((state = 'REJECTED') = (rejection IS NOT NULL))
      ) WITH (fillfactor = 80)`);
    await queryRunner.query(
      `CREATE INDEX orders_by_customer ON orders (customer_id, id) WHERE customer_id IS NOT NULL`,
    );
    await queryRunner.query(`
      CREATE TABLE order_timeline (
        order_id uuid NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        kind text NOT NULL,
        detail jsonb NOT NULL DEFAULT '{}',
        PRIMARY KEY (order_id, id)
      )`);
    await queryRunner.query(`
      CREATE TABLE payments (
        id uuid PRIMARY KEY,
        order_id uuid NOT NULL,
        provider text NOT NULL,
        state text NOT NULL CHECK (state IN ('PENDING', 'REQUIRES_ACTION', 'IN_DOUBT', 'CAPTURED', 'DECLINED', 'REFUNDED')),
        amount bigint NOT NULL CHECK (amount >= 0),
        refund_reserved bigint NOT NULL DEFAULT 0,
        refunded_amount bigint NOT NULL DEFAULT 0,
        currency char(3) NOT NULL,
        method text NOT NULL,
        idempotency_key text NOT NULL,
        transaction_id text,
        decline_code text,
        next_action jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT payments_one_per_order UNIQUE (order_id),
        CONSTRAINT payments_never_over_refunded CHECK (0 <= refunded_amount AND refunded_amount <= refund_reserved AND refund_reserved <= amount),
        CONSTRAINT payments_captured_is_known CHECK (state NOT IN ('CAPTURED', 'REFUNDED') OR transaction_id IS NOT NULL)
      ) WITH (fillfactor = 80)`);
    await queryRunner.query(`
      CREATE TABLE refunds (
        id uuid PRIMARY KEY,
        payment_id uuid NOT NULL REFERENCES payments (id),
        order_id uuid NOT NULL,
        state text NOT NULL CHECK (state IN ('PENDING', 'IN_DOUBT', 'SETTLED', 'FAILED')),
        amount bigint NOT NULL CHECK (amount > 0),
        currency char(3) NOT NULL,
        reason text NOT NULL,
        attempt integer NOT NULL DEFAULT 1,
        provider_refund_id text,
        failure text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX refunds_by_order ON refunds (order_id)`);
    await queryRunner.query(`CREATE INDEX refunds_by_payment ON refunds (payment_id)`);
    await queryRunner.query(`
      CREATE TABLE webhook_inbox (
        id uuid PRIMARY KEY,
        provider text NOT NULL,
        event_id text NOT NULL,
        type text NOT NULL,
        transaction_id text NOT NULL,
        event jsonb NOT NULL,
        state text NOT NULL DEFAULT 'RECEIVED' CHECK (state IN ('RECEIVED', 'PROCESSED', 'DEAD')),
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        error text,
        received_at timestamptz NOT NULL DEFAULT now(),
        processed_at timestamptz,
        CONSTRAINT webhook_inbox_once UNIQUE (provider, event_id)
      )`);
    await queryRunner.query(`CREATE INDEX webhook_inbox_due ON webhook_inbox (due_at) WHERE state = 'RECEIVED'`);
    await queryRunner.query(`
      CREATE TABLE sagas (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        version integer NOT NULL,
        state text NOT NULL CHECK (state IN ('RUNNING', 'WAITING', 'COMPENSATING', 'COMPLETED', 'COMPENSATED', 'STUCK', 'RESOLVED')),
        subject text NOT NULL,
        position integer NOT NULL,
        phase text NOT NULL,
        data json NOT NULL,
        log json NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        failure json,
        outcome json,
        owner text,
        epoch integer NOT NULL DEFAULT 1,
        due_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      ) WITH (fillfactor = 70)`);
    await queryRunner.query(
      `CREATE INDEX sagas_open ON sagas (due_at) WHERE state IN ('RUNNING', 'WAITING', 'COMPENSATING', 'STUCK')`,
    );
    await queryRunner.query(`CREATE INDEX sagas_by_subject ON sagas (subject)`);
    await queryRunner.query(`
      CREATE TABLE saga_audit (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        saga_id uuid NOT NULL REFERENCES sagas (id),
        verb text NOT NULL,
        actor text NOT NULL,
        reason text NOT NULL,
        from_state text NOT NULL,
        to_state text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX saga_audit_by_saga ON saga_audit (saga_id)`);
    await queryRunner.query(`
      CREATE TABLE idempotency_keys (
        id bytea PRIMARY KEY,
        fingerprint bytea NOT NULL,
        saga_id uuid,
        response jsonb,
        locked_until timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING brin (created_at)`);
    await queryRunner.query(`
      CREATE TABLE outbox (
        id uuid PRIMARY KEY,
        position bigint GENERATED ALWAYS AS IDENTITY,
        type text NOT NULL,
        subject text NOT NULL,
        payload jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        published_at timestamptz
      )`);
    await queryRunner.query(`CREATE INDEX outbox_unpublished ON outbox (position) WHERE published_at IS NULL`);
    await queryRunner.query(`CREATE INDEX outbox_by_age ON outbox USING brin (created_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE outbox, idempotency_keys, saga_audit, sagas, webhook_inbox, refunds, payments, order_timeline, orders,
        reservation_lines, reservations, stock_movements, skus`);
  }
}
