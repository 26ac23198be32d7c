import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Credit, coupons and limits: balances like stock, of which parts are held, taken and given back. No foreign key points to a
 * balance: it would lock the contended row once more, and before its turn.
 */
export class Balances1763780000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await this.createCredit(queryRunner);
    await this.createAllowances(queryRunner);
    await this.extendOrders(queryRunner);
    await this.guardAgainstFormerRelease(queryRunner);
  }

  private async createCredit(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE accounts (
        id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 200),
        currency char(3) NOT NULL,
        customer_id text,
        code_hash bytea,
        balance bigint NOT NULL DEFAULT 0,
        held bigint NOT NULL DEFAULT 0,
        fence bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT accounts_never_overspent CHECK (held >= 0 AND held <= balance)
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`CREATE UNIQUE INDEX accounts_by_code ON accounts (code_hash) WHERE code_hash IS NOT NULL`);
    await queryRunner.query(
      `CREATE INDEX accounts_by_customer ON accounts (customer_id, created_at) WHERE customer_id IS NOT NULL`,
    );
    await queryRunner.query(`
      CREATE TABLE account_entries (
        id uuid PRIMARY KEY,
        account_id text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('ADJUSTMENT', 'PURCHASE', 'REFUND')),
        amount bigint NOT NULL CHECK (amount <> 0),
        reason text NOT NULL,
        actor text NOT NULL,
        order_id uuid,
        refund_id uuid,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX account_entries_by_account ON account_entries (account_id, id)`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX account_entries_paid_once ON account_entries (order_id, account_id) WHERE kind = 'PURCHASE'`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX account_entries_refunded_once ON account_entries (refund_id, account_id) WHERE kind = 'REFUND'`,
    );
    await queryRunner.query(`
      CREATE TABLE credit_holds (
        order_id uuid NOT NULL,
        account_id text NOT NULL,
        state text NOT NULL CHECK (state IN ('HELD', 'TAKEN', 'RELEASED')),
        amount bigint NOT NULL CHECK (amount > 0),
        refunded_amount bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (order_id, account_id),
        CONSTRAINT credit_holds_never_over_refunded
          CHECK (0 <= refunded_amount AND refunded_amount <= amount AND (refunded_amount = 0 OR state = 'TAKEN'))
      ) WITH (fillfactor = 70)`);
  }

  private async createAllowances(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE allowances (
        key text PRIMARY KEY,
        customer text,
        allowed integer,
        held integer NOT NULL DEFAULT 0,
        taken integer NOT NULL DEFAULT 0,
        fence bigint NOT NULL DEFAULT 0,
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT allowances_never_exceeded CHECK (held >= 0 AND taken >= 0 AND (allowed IS NULL OR held + taken <= allowed))
      ) WITH (fillfactor = 50)`);
    await queryRunner.query(`CREATE INDEX allowances_by_customer ON allowances (customer) WHERE customer IS NOT NULL`);
    await queryRunner.query(`
      CREATE TABLE coupons (
        code text PRIMARY KEY CHECK (length(code) BETWEEN 1 AND 64),
        basis_points integer CHECK (basis_points BETWEEN 1 AND 10000),
        amount_off bigint CHECK (amount_off > 0),
        currency char(3),
        max_per_customer integer CHECK (max_per_customer > 0),
        minimum_amount bigint CHECK (minimum_amount >= 0),
        starts_at timestamptz,
        ends_at timestamptz,
        skus text[],
        sku_group text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT coupons_take_something_off CHECK ((basis_points IS NULL) <> (amount_off IS NULL)),
        CONSTRAINT coupons_amount_has_currency CHECK (amount_off IS NULL OR currency IS NOT NULL)
      )`);
    await queryRunner.query(`ALTER TABLE skus ADD COLUMN max_per_customer integer CHECK (max_per_customer > 0)`);
    await queryRunner.query(`ALTER TABLE reservations ADD COLUMN terms jsonb, ADD COLUMN has_claims boolean`);
    await queryRunner.query(`
      CREATE TABLE reservation_claims (
        reservation_id uuid NOT NULL REFERENCES reservations (id) ON DELETE CASCADE,
        key text NOT NULL,
        quantity integer NOT NULL CHECK (quantity > 0),
        PRIMARY KEY (reservation_id, key)
      )`);
    await queryRunner.query(
      `CREATE INDEX reservation_claims_of_customers ON reservation_claims (key) WHERE key LIKE '%|%|%'`,
    );
  }

  /** The constraints are not validated: no row that exists can violate what only new columns decide. */
  private async extendOrders(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE orders ADD COLUMN discounts jsonb, ADD COLUMN credit jsonb, ADD COLUMN has_claims boolean,
        ADD CONSTRAINT orders_cancelled_gave_back CHECK (NOT (state = 'CANCELLED' AND has_claims)) NOT VALID`);
    await queryRunner.query(`
      ALTER TABLE payments ADD COLUMN credited_amount bigint NOT NULL DEFAULT 0,
        ADD CONSTRAINT payments_never_over_credited
          CHECK (0 <= credited_amount AND refunded_amount + credited_amount <= refund_reserved) NOT VALID`);
  }

  /**
   * The release before ends holds without knowing their claims; the database does it for that release. This one says that
   * it has done so by clearing the mark in the same statement, and the trigger is not called.
   */
  private async guardAgainstFormerRelease(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION end_reservation_claims() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        UPDATE allowances SET held = allowances.held - claim.quantity,
          taken = allowances.taken + CASE NEW.state WHEN 'COMMITTED' THEN claim.quantity ELSE 0 END
        FROM (SELECT key, quantity FROM reservation_claims WHERE reservation_id = NEW.id ORDER BY key) AS claim
        WHERE allowances.key = claim.key;
        NEW.has_claims := false;
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER reservations_end_claims BEFORE UPDATE ON reservations FOR EACH ROW
        WHEN (OLD.state = 'HELD' AND NEW.state <> 'HELD' AND NEW.has_claims) EXECUTE FUNCTION end_reservation_claims()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER reservations_end_claims ON reservations`);
    await queryRunner.query(`DROP FUNCTION end_reservation_claims`);
    await queryRunner.query(`
      ALTER TABLE payments DROP CONSTRAINT payments_never_over_credited, DROP COLUMN credited_amount`);
    await queryRunner.query(`
      ALTER TABLE orders DROP CONSTRAINT orders_cancelled_gave_back, DROP COLUMN has_claims, DROP COLUMN credit,
        DROP COLUMN discounts`);
    await queryRunner.query(`DROP TABLE reservation_claims`);
    await queryRunner.query(`ALTER TABLE reservations DROP COLUMN has_claims, DROP COLUMN terms`);
    await queryRunner.query(`ALTER TABLE skus DROP COLUMN max_per_customer`);
    await queryRunner.query(`DROP TABLE coupons, allowances, credit_holds, account_entries, accounts`);
  }
}
