import { overRows } from '../../../platform/postgres/rows.js';
import { statement } from '../../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../../platform/postgres/tx.js';
import type { LedgerCharge } from '../payment-gateway.js';

type ChargeState = LedgerCharge['state'];

export interface Charge {
  readonly id: string;
  readonly key: string;
  readonly orderId: string;
  readonly amount: number;
  readonly capturedAmount: number;
  readonly refundedAmount: number;
  readonly currency: string;
  readonly method: string;
  readonly state: ChargeState;
  /** How long its authorisation lasts; absent where it is captured at once. */
  readonly authorizationMs?: number;
  /** The key of the request that captured its authorisation. */
  readonly captureKey?: string;
  readonly declineCode?: string;
  /** Where the customer goes after the authentication. */
  readonly returnUrl?: string;
  readonly createdAt: Date;
}

export type NewCharge = Omit<Charge, 'capturedAmount' | 'refundedAmount' | 'captureKey' | 'createdAt'> & {
  /** When a PENDING charge is approved automatically. */
  readonly dueInMs?: number;
};

export interface ChargeRow {
  id: string;
  idempotency_key: string;
  order_id: string;
  amount: string;
  captured_amount: string | null;
  refunded_amount: string;
  currency: string;
  method: string;
  state: ChargeState;
  decline_code: string | null;
  return_url: string | null;
  authorization_ms: number | null;
  capture_key: string | null;
  created_at: Date;
}

export const CHARGE_COLUMNS = `id, coalesce(forgotten_key, idempotency_key) AS idempotency_key, order_id, amount, captured_amount, refunded_amount, currency, method, state,
  decline_code, return_url, authorization_ms, capture_key, created_at`;

/**
 * Returns one row for the whole batch, which says whether any key was already known. The commit does not wait for the
 * disk. The ledger is in our own database, whose log keeps the order of commits: anything that we commit after an
 * answer proves that the charge is there too, and nothing was committed after a charge that a crash loses (ADR 6).
 */
const INSERT = overRows<NewCharge>(
  'sandbox-charge-insert',
  {
    id: 'text',
    key: 'text',
    orderId: 'text',
    amount: 'bigint',
    currency: 'text',
    method: 'text',
    state: 'text',
    declineCode: 'text',
    returnUrl: 'text',
    dueInMs: 'float8',
    authorizationMs: 'float8',
  },
  (given) => `WITH inserted AS (
     INSERT INTO sandbox.charges (id, idempotency_key, order_id, amount, currency, method, state, decline_code, return_url, due_at, authorization_ms, expires_at)
     SELECT id, key, "orderId", amount, currency, method, state, "declineCode", "returnUrl",
            now() + "dueInMs" * interval '1 millisecond', "authorizationMs",
            CASE WHEN state = 'AUTHORIZED' THEN now() + "authorizationMs" * interval '1 millisecond' END
     FROM ${given}
     ON CONFLICT (idempotency_key) DO NOTHING
     RETURNING 1)
   SELECT count(*)::int AS inserted, set_config('synchronous_commit', 'off', true) FROM inserted`,
);

/** Only a provider that forgets keys can have two charges under one key. The one that it remembers comes last. */
const BY_KEYS = statement(
  'sandbox-charge-by-keys',
  `SELECT ${CHARGE_COLUMNS} FROM sandbox.charges WHERE idempotency_key = ANY($1) OR forgotten_key = ANY($1)
   ORDER BY forgotten_key IS NULL, id`,
);
/**
 * Forgets the key: the charge stays, and can still be found by the key as by any other note on it, but the key may be
 * used again.
 */
const FORGET_KEY = statement(
  'sandbox-charge-forget-key',
  `UPDATE sandbox.charges SET forgotten_key = idempotency_key, idempotency_key = id
   WHERE idempotency_key = $1 AND created_at < now() - $2 * interval '1 millisecond'`,
);
const BY_ID = statement('sandbox-charge-by-id', `SELECT ${CHARGE_COLUMNS} FROM sandbox.charges WHERE id = $1`);
const LOCK = statement('sandbox-charge-lock', `SELECT ${CHARGE_COLUMNS} FROM sandbox.charges WHERE id = $1 FOR UPDATE`);

const BY_ORDER = statement(
  'sandbox-charge-by-order',
  `SELECT ${CHARGE_COLUMNS} FROM sandbox.charges
   WHERE order_id = $1 AND state NOT IN ('DECLINED', 'CANCELLED') ORDER BY id`,
);

const PAGE = statement(
  'sandbox-charge-page',
  `SELECT ${CHARGE_COLUMNS} FROM sandbox.charges WHERE id > $1 ORDER BY id LIMIT $2`,
);

/** Charges that are older than the pages by id and have changed since. */
const CHANGED_PAGE = statement(
  'sandbox-charge-changed-page',
  `SELECT ${CHARGE_COLUMNS} FROM sandbox.charges WHERE updated_at >= $1 AND id < $2 AND id > $3 ORDER BY id LIMIT $4`,
);

/** What becomes of a charge that is approved: it is captured, or authorised first. */
const APPROVED = `CASE WHEN authorization_ms IS NULL THEN 'CAPTURED' ELSE 'AUTHORIZED' END`;
const EXPIRES_AT = `now() + authorization_ms * interval '1 millisecond'`;

/** Guarded: only a charge that still waits can end. Returns the row if it moved. */
const END_PENDING = statement(
  'sandbox-charge-end-pending',
  `UPDATE sandbox.charges SET state = CASE $2::text WHEN 'APPROVED' THEN ${APPROVED} ELSE $2 END, decline_code = $3, due_at = NULL,
     expires_at = CASE $2 WHEN 'APPROVED' THEN ${EXPIRES_AT} END, updated_at = now()
   WHERE id = $1 AND state = 'PENDING' RETURNING ${CHARGE_COLUMNS}`,
);

const APPROVE_DUE = statement(
  'sandbox-charge-approve-due',
  `UPDATE sandbox.charges SET state = ${APPROVED}, expires_at = ${EXPIRES_AT}, due_at = NULL, updated_at = now()
   WHERE id IN (SELECT id FROM sandbox.charges WHERE state = 'PENDING' AND due_at <= now()
                ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING ${CHARGE_COLUMNS}`,
);

/** Counts a call that answers 500; the count outlives the process. */
const COUNT_ERROR = statement(
  'sandbox-server-error-count',
  `INSERT INTO sandbox.server_errors (idempotency_key, answered) VALUES ($1, 1)
   ON CONFLICT (idempotency_key) DO UPDATE SET answered = server_errors.answered + 1
   WHERE server_errors.answered < $2 RETURNING answered`,
);

/** Returns how many of the batch were new. The caller sorts by key, so that two batches cannot deadlock. */
export async function insertCharges(db: Queryable, charges: readonly NewCharge[]): Promise<number> {
  const rows = await db.query<{ inserted: number }>(...INSERT.over(charges));
  return rows[0]?.inserted ?? 0;
}

export async function findChargesByKeys(db: Queryable, keys: readonly string[]): Promise<Map<string, Charge>> {
  const rows = await db.query<ChargeRow>(BY_KEYS, [keys]);
  return new Map(rows.map((row) => [row.idempotency_key, toCharge(row)]));
}

export async function findCharge(db: Queryable, id: string): Promise<Charge | undefined> {
  return first(await db.query<ChargeRow>(BY_ID, [id]));
}

export async function lockCharge(tx: Tx, id: string): Promise<Charge | undefined> {
  return first(await tx.query<ChargeRow>(LOCK, [id]));
}

export async function findChargesOfOrder(db: Queryable, orderId: string): Promise<Charge[]> {
  return (await db.query<ChargeRow>(BY_ORDER, [orderId])).map(toCharge);
}

export async function findChargesAfter(db: Queryable, id: string, limit: number): Promise<Charge[]> {
  return (await db.query<ChargeRow>(PAGE, [id, limit])).map(toCharge);
}

/** Changed from `since` on, with ids between `after` and `before`. */
export async function findChangedCharges(
  db: Queryable,
  since: Date,
  before: string,
  after: string,
  limit: number,
): Promise<Charge[]> {
  return (await db.query<ChargeRow>(CHANGED_PAGE, [since, before, after, limit])).map(toCharge);
}

export async function forgetChargeKey(db: Queryable, key: string, memoryMs: number): Promise<void> {
  await db.query(FORGET_KEY, [key, memoryMs]);
}

export type PendingEnd =
  { readonly state: 'APPROVED' | 'CANCELLED' } | { readonly state: 'DECLINED'; readonly declineCode: string };

export async function endPendingCharge(db: Queryable, id: string, end: PendingEnd): Promise<Charge | undefined> {
  const declineCode = end.state === 'DECLINED' ? end.declineCode : null;
  return first(await db.query<ChargeRow>(END_PENDING, [id, end.state, declineCode]));
}

export async function approveDueCharges(tx: Tx, limit: number): Promise<Charge[]> {
  return (await tx.query<ChargeRow>(APPROVE_DUE, [limit])).map(toCharge);
}

/** Whether this call is one of the first `limit` under its key. */
export async function isServerErrorDue(db: Queryable, key: string, limit: number): Promise<boolean> {
  return (await db.query(COUNT_ERROR, [key, limit])).length > 0;
}

export function first(rows: readonly ChargeRow[]): Charge | undefined {
  return rows[0] && toCharge(rows[0]);
}

export function toCharge(row: ChargeRow): Charge {
  const isCaptured = row.state === 'CAPTURED' || row.state === 'REFUNDED';
  return {
    id: row.id,
    key: row.idempotency_key,
    orderId: row.order_id,
    amount: Number(row.amount),
    capturedAmount: isCaptured ? Number(row.captured_amount ?? row.amount) : 0,
    refundedAmount: Number(row.refunded_amount),
    currency: row.currency,
    method: row.method,
    state: row.state,
    ...(row.decline_code !== null && { declineCode: row.decline_code }),
    ...(row.return_url !== null && { returnUrl: row.return_url }),
    ...(row.authorization_ms !== null && { authorizationMs: row.authorization_ms }),
    ...(row.capture_key !== null && { captureKey: row.capture_key }),
    createdAt: row.created_at,
  };
}
