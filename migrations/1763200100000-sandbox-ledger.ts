import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The ledger of the sandbox provider. It is in our database because there is no other, but in its own schema that only
 * the sandbox's own pool uses: no foreign key, join or transaction connects it with our tables.
 */
export class SandboxLedger1763200100000 implements MigrationInterface {
  readonly name = 'SandboxLedger1763200100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE SCHEMA sandbox`);
    await createCharges(runner);
    await createRefunds(runner);
    await createCallbacks(runner);
    await runner.query(`
      CREATE TABLE sandbox.settings (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        webhook_secret text NOT NULL,
        faults jsonb NOT NULL DEFAULT '{}'
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP SCHEMA sandbox CASCADE`);
  }
}

/** Ids begin with their time, so the primary key also serves as the order of the ledger's pages. */
async function createCharges(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE sandbox.charges (
      id text COLLATE "C" PRIMARY KEY,
      idempotency_key text COLLATE "C" NOT NULL UNIQUE,
      order_id text COLLATE "C" NOT NULL,
      amount bigint NOT NULL CHECK (amount >= 0),
      refunded_amount bigint NOT NULL DEFAULT 0,
      currency text NOT NULL,
      method text NOT NULL,
      state text NOT NULL CHECK (state IN ('PENDING', 'CAPTURED', 'REFUNDED', 'DECLINED', 'CANCELLED')),
      decline_code text,
      due_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT refunded_within_captured CHECK (refunded_amount BETWEEN 0 AND amount),
      CONSTRAINT refunded_only_if_captured CHECK (refunded_amount = 0 OR state IN ('CAPTURED', 'REFUNDED')),
      CONSTRAINT refunded_when_whole CHECK ((state = 'REFUNDED') = (amount > 0 AND refunded_amount = amount)),
      CONSTRAINT declined_with_code CHECK ((state = 'DECLINED') = (decline_code IS NOT NULL))
    )`);
  await runner.query(`CREATE INDEX charges_order ON sandbox.charges (order_id)`);
  await runner.query(`CREATE INDEX charges_due ON sandbox.charges (due_at) WHERE state = 'PENDING'`);
  await runner.query(`
    CREATE TABLE sandbox.server_errors (
      idempotency_key text COLLATE "C" PRIMARY KEY,
      answered integer NOT NULL
    )`);
}

async function createRefunds(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE sandbox.refunds (
      id text COLLATE "C" PRIMARY KEY,
      idempotency_key text COLLATE "C" NOT NULL UNIQUE,
      charge_id text COLLATE "C" NOT NULL REFERENCES sandbox.charges,
      amount bigint NOT NULL CHECK (amount > 0),
      state text NOT NULL CHECK (state IN ('SETTLED', 'FAILED')),
      reason text,
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT failed_with_reason CHECK ((state = 'FAILED') = (reason IS NOT NULL))
    )`);
  await runner.query(`CREATE INDEX refunds_charge ON sandbox.refunds (charge_id)`);
}

/** A row per delivery still owed. A duplicate is a second row with the same event id. */
async function createCallbacks(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE sandbox.callbacks (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      event_id text NOT NULL,
      body text NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      next_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`);
  await runner.query(`CREATE INDEX callbacks_next ON sandbox.callbacks (next_at)`);
}
