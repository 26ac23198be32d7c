import { Injectable } from '@nestjs/common';
import { sourcesOf } from '../common/state-machine.js';
import { statement } from '../infrastructure/database/statement.js';
import type { Queryable, Tx } from '../infrastructure/database/tx.js';
import { REFUND_TRANSITIONS, RefundState } from './payment-state.js';

export interface RefundRow {
  readonly id: string;
  readonly paymentId: string;
  readonly orderId: string;
  readonly state: RefundState;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
  readonly attempt: number;
  readonly transactionId: string;
  readonly createdAt: Date;
}

export interface RefundRequestRow {
  readonly id: string;
  readonly orderId: string;
  /** null: whatever of the payment is not refunded yet. */
  readonly amount: number | null;
  readonly reason: string;
}

export interface RefundMove {
  readonly id: string;
  readonly providerRefundId?: string | null;
  readonly failure?: string | null;
}

/**
 * Sets the amount aside on the payment and creates the refund, in one statement: of refunds that race, those that would
 * exceed what was captured find no room left, and the CHECK on payments stands behind it.
 */
const REQUEST = statement(
  'refunds.request',
  `WITH wanted AS (
     SELECT wish.id, wish.reason, payments.id AS payment_id, payments.order_id, payments.currency,
       coalesce(wish.amount, payments.amount - payments.refund_reserved) AS amount
     FROM unnest($1::uuid[], $2::uuid[], $3::int8[], $4::text[]) AS wish (id, order_id, amount, reason)
     JOIN payments ON payments.order_id = wish.order_id AND payments.state = 'CAPTURED'
     ORDER BY payments.id FOR UPDATE OF payments
   ), reserved AS (
     UPDATE payments SET refund_reserved = refund_reserved + wanted.amount, updated_at = now()
     FROM wanted WHERE payments.id = wanted.payment_id AND wanted.amount > 0 AND refund_reserved + wanted.amount <= payments.amount
     RETURNING payments.id
   )
   INSERT INTO refunds (id, payment_id, order_id, state, amount, currency, reason)
   SELECT wanted.id, payment_id, order_id, 'PENDING', wanted.amount, currency, reason FROM wanted JOIN reserved ON reserved.id = wanted.payment_id
   RETURNING id, order_id AS "orderId", amount, state, created_at AS "createdAt"`,
);

const MOVE = statement(
  'refunds.move',
  `UPDATE refunds SET state = $1, updated_at = now(), provider_refund_id = coalesce(move.provider_refund_id, refunds.provider_refund_id), failure = move.failure
   FROM unnest($3::uuid[], $4::text[], $5::text[]) AS move (id, provider_refund_id, failure)
   WHERE refunds.id = move.id AND state = ANY($2::text[])
   RETURNING refunds.id, refunds.payment_id AS "paymentId", refunds.order_id AS "orderId", refunds.amount`,
);

/** A definite failure rotates the provider's key: the old one would only replay the failure. */
const RETRY = statement(
  'refunds.retry',
  `UPDATE refunds SET state = 'PENDING', attempt = attempt + 1, updated_at = now() WHERE id = ANY($1::uuid[]) AND state = 'FAILED' RETURNING id`,
);

const SETTLE_PAYMENTS = statement(
  'refunds.settle-payments',
  `UPDATE payments SET refunded_amount = refunded_amount + settled.amount, updated_at = now(),
     state = CASE WHEN refunded_amount + settled.amount = payments.amount THEN 'REFUNDED' ELSE state END
   FROM (SELECT payment_id, sum(amount)::int8 AS amount FROM unnest($1::uuid[], $2::int8[]) AS one (payment_id, amount) GROUP BY payment_id) AS settled
   WHERE payments.id = settled.payment_id`,
);

const FIND = statement(
  'refunds.find',
  `SELECT refunds.id, payment_id AS "paymentId", refunds.order_id AS "orderId", refunds.state, refunds.amount, refunds.currency, reason, attempt,
     payments.transaction_id AS "transactionId", refunds.created_at AS "createdAt"
   FROM refunds JOIN payments ON payments.id = payment_id WHERE refunds.id = ANY($1::uuid[])`,
);

@Injectable()
export class RefundRepository {
  /** Creates the refunds for which there is room; the ids that are missing in the answer exceed what was captured. */
  async request(
    tx: Tx,
    requests: readonly RefundRequestRow[],
  ): Promise<Map<string, { amount: number; createdAt: Date }>> {
    const rows = await tx.query<{ id: string; amount: number; createdAt: Date }>(REQUEST, [
      requests.map((request) => request.id),
      requests.map((request) => request.orderId),
      requests.map((request) => request.amount),
      requests.map((request) => request.reason),
    ]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Settled refunds count towards their payment in the same transaction, once, because the move is guarded. */
  async settle(tx: Tx, moves: readonly RefundMove[]): Promise<Map<string, { orderId: string; amount: number }>> {
    const rows = await this.move(tx, 'SETTLED', moves);
    if (rows.length > 0) tx.send(SETTLE_PAYMENTS, [rows.map((row) => row.paymentId), rows.map((row) => row.amount)]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  async fail(tx: Tx, moves: readonly RefundMove[]): Promise<void> {
    await this.move(tx, 'FAILED', moves);
  }

  async doubt(tx: Tx, ids: readonly string[]): Promise<void> {
    await this.move(
      tx,
      'IN_DOUBT',
      ids.map((id) => ({ id })),
    );
  }

  async retry(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query(RETRY, [ids]);
  }

  find(db: Queryable, ids: readonly string[]): Promise<RefundRow[]> {
    return db.query<RefundRow>(FIND, [ids]);
  }

  private async move(tx: Tx, to: RefundState, moves: readonly RefundMove[]) {
    if (moves.length === 0) return [];
    return tx.query<{ id: string; paymentId: string; orderId: string; amount: number }>(MOVE, [
      to,
      sourcesOf(REFUND_TRANSITIONS, to),
      moves.map((move) => move.id),
      moves.map((move) => move.providerRefundId ?? null),
      moves.map((move) => move.failure ?? null),
    ]);
  }
}
