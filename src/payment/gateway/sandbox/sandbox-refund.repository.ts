import { statement } from '../../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../../platform/postgres/tx.js';

export interface Refund {
  readonly id: string;
  readonly key: string;
  readonly chargeId: string;
  readonly amount: number;
  readonly state: 'SETTLED' | 'FAILED';
  readonly reason?: string;
  /** When a settled refund fails late. */
  readonly failsInMs?: number;
}

/** With the order of its charge. */
export interface RefundOfOrder extends Refund {
  readonly orderId: string;
}

interface RefundRow {
  id: string;
  idempotency_key: string;
  charge_id: string;
  amount: string;
  state: 'SETTLED' | 'FAILED';
  reason: string | null;
}

const COLUMNS = `id, coalesce(forgotten_key, idempotency_key) AS idempotency_key, charge_id, amount, state, reason`;
const OF_ORDER = `SELECT refunds.id, coalesce(refunds.forgotten_key, refunds.idempotency_key) AS idempotency_key, charge_id, refunds.amount,
     refunds.state, reason, order_id FROM sandbox.refunds JOIN sandbox.charges ON charges.id = charge_id`;

const BY_KEY = statement('sandbox-refund-by-key', `SELECT ${COLUMNS} FROM sandbox.refunds WHERE idempotency_key = $1`);
/** A note on a refund of the charge, which outlives the provider's memory of keys. */
const BY_NOTE = statement(
  'sandbox-refund-by-note',
  `SELECT ${COLUMNS} FROM sandbox.refunds WHERE charge_id = $1 AND coalesce(forgotten_key, idempotency_key) = $2 ORDER BY id DESC LIMIT 1`,
);
const BY_ID = statement('sandbox-refund-by-id', `${OF_ORDER} WHERE refunds.id = $1`);
const FORGET_KEY = statement(
  'sandbox-refund-forget-key',
  `UPDATE sandbox.refunds SET forgotten_key = idempotency_key, idempotency_key = id
   WHERE idempotency_key = $1 AND created_at < now() - $2 * interval '1 millisecond'`,
);
/** Failed, or about to. */
const FAILURES = statement(
  'sandbox-refund-failures',
  `SELECT count(*)::int AS failures FROM sandbox.refunds WHERE charge_id = $1 AND (state = 'FAILED' OR due_at IS NOT NULL)`,
);
const INSERT = statement(
  'sandbox-refund-insert',
  `INSERT INTO sandbox.refunds (id, idempotency_key, charge_id, amount, state, reason, due_at)
   VALUES ($1, $2, $3, $4, $5, $6, now() + $7::float8 * interval '1 millisecond')`,
);
const FAIL_DUE = statement(
  'sandbox-refund-fail-due',
  `UPDATE sandbox.refunds SET state = 'FAILED', reason = 'expired_or_canceled_card', due_at = NULL, updated_at = now()
   WHERE id = (SELECT id FROM sandbox.refunds WHERE due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING ${COLUMNS}`,
);
const TAKE_BACK = statement(
  'sandbox-charge-take-back',
  `UPDATE sandbox.charges SET refunded_amount = refunded_amount - $2, state = 'CAPTURED', updated_at = now() WHERE id = $1`,
);
const FAILED_PAGE = statement(
  'sandbox-refund-failed-page',
  `${OF_ORDER} WHERE refunds.state = 'FAILED' AND refunds.updated_at >= $1 AND refunds.id > $2 ORDER BY refunds.id LIMIT $3`,
);

/** The table's CHECKs enforce "never above captured". */
const PAY_BACK = statement(
  'sandbox-charge-pay-back',
  `UPDATE sandbox.charges
   SET refunded_amount = refunded_amount + $2,
       state = CASE WHEN refunded_amount + $2 = coalesce(captured_amount, amount) THEN 'REFUNDED' ELSE state END, updated_at = now()
   WHERE id = $1`,
);

export async function findRefundByKey(db: Queryable, key: string): Promise<Refund | undefined> {
  const [row] = await db.query<RefundRow>(BY_KEY, [key]);
  return row && toRefund(row);
}

export async function findRefundByNote(db: Queryable, chargeId: string, key: string): Promise<Refund | undefined> {
  const [row] = await db.query<RefundRow>(BY_NOTE, [chargeId, key]);
  return row && toRefund(row);
}

export async function findRefund(db: Queryable, id: string): Promise<RefundOfOrder | undefined> {
  const [row] = await db.query<RefundRow & { order_id: string }>(BY_ID, [id]);
  return row && { ...toRefund(row), orderId: row.order_id };
}

export async function forgetRefundKey(db: Queryable, key: string, memoryMs: number): Promise<void> {
  await db.query(FORGET_KEY, [key, memoryMs]);
}

/** One settled refund that fails now, and its reversal on the charge. */
export async function failDueRefund(tx: Tx): Promise<Refund | undefined> {
  const [row] = await tx.query<RefundRow>(FAIL_DUE, []);
  if (!row) return undefined;
  tx.send(TAKE_BACK, [row.charge_id, Number(row.amount)]);
  return toRefund(row);
}

/** Those that failed after they had settled. */
export async function findFailedRefunds(
  db: Queryable,
  since: Date,
  after: string,
  limit: number,
): Promise<RefundOfOrder[]> {
  const rows = await db.query<RefundRow & { order_id: string }>(FAILED_PAGE, [since, after, limit]);
  return rows.map((row) => ({ ...toRefund(row), orderId: row.order_id }));
}

export async function countRefundFailures(tx: Tx, chargeId: string): Promise<number> {
  const [row] = await tx.query<{ failures: number }>(FAILURES, [chargeId]);
  return row?.failures ?? 0;
}

/** The refund and its effect on the charge, both sent with the COMMIT. */
export function insertRefund(tx: Tx, refund: Refund): void {
  const { id, key, chargeId, amount, state, reason, failsInMs } = refund;
  tx.send(INSERT, [id, key, chargeId, amount, state, reason ?? null, failsInMs ?? null]);
  if (state === 'SETTLED') tx.send(PAY_BACK, [chargeId, amount]);
}

function toRefund(row: RefundRow): Refund {
  return {
    id: row.id,
    key: row.idempotency_key,
    chargeId: row.charge_id,
    amount: Number(row.amount),
    state: row.state,
    ...(row.reason !== null && { reason: row.reason }),
  };
}
