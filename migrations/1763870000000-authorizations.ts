import { MigrationInterface, QueryRunner } from 'typeorm';

const STATES = `'PENDING', 'REQUIRES_ACTION', 'IN_DOUBT', 'CAPTURED', 'DECLINED', 'REFUNDED'`;
const LEDGER_STATES = `'PENDING', 'CAPTURED', 'REFUNDED', 'DECLINED', 'CANCELLED'`;

/**
 * Payments that are authorised first and captured later, and disputes. `captured_amount` is NULL where all of the amount
 * was charged at once, as the release before writes it. The constraints are not validated: no row that exists can violate
 * them.
 */
export class Authorizations1763870000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await this.extendPayments(queryRunner);
    await this.extendSandbox(queryRunner);
    await this.guardAgainstFormerRelease(queryRunner);
  }

  /** Refunds never exceed what was captured, and what was never captured has none. */
  private async extendPayments(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE payments ADD COLUMN captured_amount bigint, ADD COLUMN authorized_until timestamptz,
        ADD COLUMN expiry_announced_at timestamptz, ADD COLUMN ended_by uuid, ADD COLUMN dispute jsonb,
        DROP CONSTRAINT payments_state_check,
        ADD CONSTRAINT payments_state_check CHECK (state IN (${STATES}, 'AUTHORIZED', 'VOIDED', 'EXPIRED')) NOT VALID,
        ADD CONSTRAINT payments_captured_within_authorized CHECK (captured_amount IS NULL OR (
          0 < captured_amount AND refund_reserved <= captured_amount AND captured_amount <= amount
          AND state IN ('CAPTURED', 'REFUNDED') AND (state = 'REFUNDED') = (refunded_amount = captured_amount))) NOT VALID,
        ADD CONSTRAINT payments_authorized_is_known CHECK (state NOT IN ('AUTHORIZED', 'VOIDED', 'EXPIRED')
          OR (transaction_id IS NOT NULL AND refund_reserved = 0)) NOT VALID,
        ADD CONSTRAINT payments_authorized_ends CHECK (state <> 'AUTHORIZED' OR authorized_until IS NOT NULL) NOT VALID`);
  }

  private async extendSandbox(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE sandbox.charges ADD COLUMN authorization_ms double precision, ADD COLUMN captured_amount bigint,
        ADD COLUMN capture_key text COLLATE "C", ADD COLUMN expires_at timestamptz,
        DROP CONSTRAINT charges_state_check,
        ADD CONSTRAINT charges_state_check CHECK (state IN (${LEDGER_STATES}, 'AUTHORIZED', 'VOIDED', 'EXPIRED')) NOT VALID,
        DROP CONSTRAINT refunded_when_whole,
        ADD CONSTRAINT refunded_when_whole CHECK ((state = 'REFUNDED') =
          (amount > 0 AND refunded_amount = coalesce(captured_amount, amount))) NOT VALID,
        ADD CONSTRAINT captured_within_authorized CHECK (captured_amount IS NULL OR (
          0 < captured_amount AND refunded_amount <= captured_amount AND captured_amount <= amount
          AND state IN ('CAPTURED', 'REFUNDED'))) NOT VALID`);
    await queryRunner.query(
      `CREATE INDEX charges_expiring ON sandbox.charges (expires_at) WHERE expires_at IS NOT NULL`,
    );
  }

  /**
   * The release before does not know AUTHORIZED. It would take a charge that was just captured, and whose payment is still
   * AUTHORIZED here, for one that nobody asked for, and pay it back.
   */
  private async guardAgainstFormerRelease(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION refuse_authorized_strays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT FROM payments WHERE order_id = NEW.order_id AND provider = NEW.provider
          AND transaction_id = NEW.transaction_id AND state = 'AUTHORIZED') THEN RETURN NULL; END IF;
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER stray_charges_refuse_authorized BEFORE INSERT ON stray_charges FOR EACH ROW
        EXECUTE FUNCTION refuse_authorized_strays()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER stray_charges_refuse_authorized ON stray_charges`);
    await queryRunner.query(`DROP FUNCTION refuse_authorized_strays`);
    await queryRunner.query(`
      ALTER TABLE sandbox.charges DROP CONSTRAINT captured_within_authorized, DROP CONSTRAINT refunded_when_whole,
        ADD CONSTRAINT refunded_when_whole CHECK ((state = 'REFUNDED') = (amount > 0 AND refunded_amount = amount)),
        DROP CONSTRAINT charges_state_check, ADD CONSTRAINT charges_state_check CHECK (state IN (${LEDGER_STATES})),
        DROP COLUMN expires_at, DROP COLUMN capture_key, DROP COLUMN captured_amount, DROP COLUMN authorization_ms`);
    await queryRunner.query(`
      ALTER TABLE payments DROP CONSTRAINT payments_authorized_ends, DROP CONSTRAINT payments_authorized_is_known,
        DROP CONSTRAINT payments_captured_within_authorized,
        DROP CONSTRAINT payments_state_check, ADD CONSTRAINT payments_state_check CHECK (state IN (${STATES})),
        DROP COLUMN dispute, DROP COLUMN ended_by, DROP COLUMN expiry_announced_at, DROP COLUMN authorized_until,
        DROP COLUMN captured_amount`);
  }
}
