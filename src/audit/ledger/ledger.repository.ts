import { Injectable } from '@nestjs/common';
import { firstIdOf } from '../../common/id.js';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable } from '../../platform/postgres/tx.js';
import type { LedgerCharge } from '../../payment/gateway/payment-gateway.js';

/** What one side has of a charge. */
export interface LedgerBooked {
  readonly orderId: string;
  /** Blocked on the card, and not captured. */
  readonly authorized: number;
  readonly captured: number;
  readonly refunded: number;
  readonly currency: string;
}

/** A charge that differs between the provider's ledger and ours; null on the side that does not have it. */
export interface LedgerDifference {
  readonly transactionId: string;
  readonly orderId: string;
  /** Whether we have the order at all. */
  readonly isOrderKnown: boolean;
  readonly provider: LedgerBooked | null;
  readonly ours: LedgerBooked | null;
}

/** Ids begin with their time. A payment is written at most this much later than its id was made. */
const LONGEST_WAY_MS = 3_600_000;

const COUNTED: ReadonlySet<LedgerCharge['state']> = new Set([
  'AUTHORIZED',
  'CAPTURED',
  'REFUNDED',
  'VOIDED',
  'EXPIRED',
]);

/** The order id in the provider's ledger may be any text. */
const IS_ID = `order_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;

/**
 * Charges that are authorised or captured, or were authorised once; nothing else in the ledger moved or blocked money.
 * Orders whose saga is under way are left out: there the two sides may differ for a moment. Of our payments it reads those
 * of the given charges, and the recent ones, which must be among the charges.
 */
const DIFFERENCES = statement(
  'ledger.differences',
  `WITH ledger AS (
     SELECT * FROM unnest($2::text[], $3::text[], $10::int8[], $4::int8[], $5::int8[], $6::text[]) AS charge (id, order_id, authorized, captured, refunded, currency)
   ), candidates AS (
     SELECT * FROM payments WHERE id >= $9
     UNION ALL
     SELECT * FROM payments WHERE id < $9 AND order_id IN (SELECT order_id::uuid FROM ledger WHERE ${IS_ID})
   ), ours AS (
     SELECT transaction_id AS id, order_id::text AS order_id, CASE state WHEN 'AUTHORIZED' THEN amount ELSE 0 END AS authorized,
       CASE WHEN state IN ('CAPTURED', 'REFUNDED') THEN coalesce(captured_amount, amount) ELSE 0 END AS captured,
       refunded_amount AS refunded, currency, created_at
     FROM candidates WHERE provider = $1 AND state IN ('AUTHORIZED', 'CAPTURED', 'REFUNDED') AND amount > 0
     UNION ALL
     SELECT transaction_id, order_id::text, 0, amount, refunded_amount, currency, created_at FROM stray_charges WHERE provider = $1
   ), differing AS (
     SELECT id, coalesce(ledger.order_id, ours.order_id) AS order_id,
       CASE WHEN ledger.captured IS NOT NULL THEN json_build_object('orderId', ledger.order_id, 'authorized', ledger.authorized, 'captured', ledger.captured, 'refunded', ledger.refunded, 'currency', ledger.currency) END AS provider,
       CASE WHEN ours.captured IS NOT NULL THEN json_build_object('orderId', ours.order_id, 'authorized', ours.authorized, 'captured', ours.captured, 'refunded', ours.refunded, 'currency', ours.currency) END AS ours
     FROM ledger FULL JOIN ours USING (id)
     WHERE (ledger.authorized, ledger.captured, ledger.refunded, ledger.currency, ledger.order_id)
         IS DISTINCT FROM (ours.authorized, ours.captured, ours.refunded, ours.currency, ours.order_id)
       -- An authorisation that has ended on both sides is on neither.
       AND (ours.captured IS NOT NULL OR ledger.authorized + ledger.captured > 0)
       AND (ledger.captured IS NOT NULL OR ours.created_at >= $7)
   )
   SELECT id AS "transactionId", order_id AS "orderId", provider, ours,
     CASE WHEN ${IS_ID} THEN EXISTS (SELECT FROM orders WHERE orders.id = order_id::uuid) ELSE false END AS "isOrderKnown"
   FROM differing
   WHERE NOT EXISTS (SELECT FROM sagas WHERE subject = order_id AND state IN ('RUNNING', 'WAITING', 'COMPENSATING', 'STUCK'))
   ORDER BY id LIMIT $8`,
);

@Injectable()
export class LedgerRepository {
  differences(
    db: Queryable,
    provider: string,
    charges: readonly LedgerCharge[],
    missingSince: Date,
    limit: number,
  ): Promise<LedgerDifference[]> {
    const counted = charges.filter(({ state, amount }) => amount > 0 && COUNTED.has(state));
    return db.query<LedgerDifference>(DIFFERENCES, [
      provider,
      counted.map(({ id }) => id),
      counted.map(({ orderId }) => orderId),
      counted.map(({ capturedAmount }) => capturedAmount),
      counted.map(({ refundedAmount }) => refundedAmount),
      counted.map(({ currency }) => currency),
      missingSince,
      limit,
      firstIdOf(missingSince.getTime() - LONGEST_WAY_MS),
      counted.map(({ state, amount }) => (state === 'AUTHORIZED' ? amount : 0)),
    ]);
  }
}
