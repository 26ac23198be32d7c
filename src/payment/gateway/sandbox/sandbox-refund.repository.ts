import { statement } from '../../../infrastructure/database/statement.js';
import type { Queryable, Tx } from '../../../infrastructure/database/tx.js';

export interface Refund {
  readonly id: string;
  readonly key: string;
  readonly chargeId: string;
  readonly amount: number;
  readonly state: 'SETTLED' | 'FAILED';
  readonly reason?: string;
}

interface RefundRow {
  id: string;
  idempotency_key: string;
  charge_id: string;
  amount: string;
  state: 'SETTLED' | 'FAILED';
  reason: string | null;
}

const BY_KEY = statement(
  'sandbox-refund-by-key',
  `SELECT id, idempotency_key, charge_id, amount, state, reason FROM sandbox.refunds WHERE idempotency_key = $1`,
);
const FAILURES = statement(
  'sandbox-refund-failures',
  `SELECT count(*)::int AS failures FROM sandbox.refunds WHERE charge_id = $1 AND state = 'FAILED'`,
);
const INSERT = statement(
  'sandbox-refund-insert',
  `INSERT INTO sandbox.refunds (id, idempotency_key, charge_id, amount, state, reason) VALUES ($1, $2, $3, $4, $5, $6)`,
);

/** The CHECKs of the table have the last word on "never above captured". */
const PAY_BACK = statement(
  'sandbox-charge-pay-back',
  `UPDATE sandbox.charges
   SET refunded_amount = refunded_amount + $2,
       state = CASE WHEN refunded_amount + $2 = amount THEN 'REFUNDED' ELSE state END
   WHERE id = $1`,
);

export async function findRefundByKey(db: Queryable, key: string): Promise<Refund | undefined> {
  const [row] = await db.query<RefundRow>(BY_KEY, [key]);
  return row && toRefund(row);
}

export async function countRefundFailures(tx: Tx, chargeId: string): Promise<number> {
  const [row] = await tx.query<{ failures: number }>(FAILURES, [chargeId]);
  return row?.failures ?? 0;
}

/** The refund and its effect on the charge, both sent ahead of the COMMIT. */
export function insertRefund(tx: Tx, refund: Refund): void {
  const { id, key, chargeId, amount, state, reason } = refund;
  tx.send(INSERT, [id, key, chargeId, amount, state, reason ?? null]);
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
