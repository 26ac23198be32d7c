import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/postgres/statement.js';
import type { Tx } from '../../platform/postgres/tx.js';

interface Claim {
  readonly orderId: string;
  readonly sagaId: string;
  /** For a customer: how long after its confirmation the order may still be cancelled. */
  readonly withinSeconds?: number | undefined;
}

interface ClaimedOrder {
  readonly orderId: string;
  /** Of the cancellation before, which ended without cancelling; null where there was none. */
  readonly refundId: string | null;
}

/**
 * One cancellation at a time: the saga that marks the order is the one that may finish it. The mark of a saga that has
 * ended, by the hand of an operator, while the order is still CONFIRMED is replaced; compared with the very mark that was
 * looked at, so that of two who replace it one finds the other's. What has ended cannot run again. What changed a CONFIRMED
 * order last is its confirmation, or a cancellation that came to nothing: a customer's time counts from there. Clearing the mark when
 * the saga is resolved would be as good, if the engine knew of orders.
 */
const BEGIN = statement(
  'cancellations.begin',
  `UPDATE orders SET cancelled_by = claim.saga_id, updated_at = now()
   FROM (
     SELECT wish.order_id, wish.saga_id, wish.within_seconds, ended.id AS ended_id, ended.data ->> 'refundId' AS refund_id
     FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS wish (order_id, saga_id, within_seconds)
     JOIN orders AS seen ON seen.id = wish.order_id
     LEFT JOIN sagas AS ended ON ended.id = seen.cancelled_by AND ended.state IN ('COMPENSATED', 'RESOLVED')
   ) AS claim
   WHERE orders.id = claim.order_id AND orders.state = 'CONFIRMED'
     AND (claim.within_seconds IS NULL OR orders.updated_at > now() - claim.within_seconds * interval '1 second')
     AND (orders.cancelled_by IS NULL OR orders.cancelled_by = claim.saga_id OR orders.cancelled_by = claim.ended_id)
   RETURNING orders.id AS "orderId", claim.refund_id AS "refundId"`,
);

@Injectable()
export class CancellationRepository {
  /** Answers the orders that are now theirs. At most one claim for an order: of two, either could be written. */
  async begin(tx: Tx, claims: readonly Claim[]): Promise<Map<string, ClaimedOrder>> {
    const rows = await tx.query<ClaimedOrder>(BEGIN, [
      claims.map((claim) => claim.orderId),
      claims.map((claim) => claim.sagaId),
      claims.map((claim) => claim.withinSeconds ?? null),
    ]);
    return new Map(rows.map((row) => [row.orderId, row]));
  }
}
