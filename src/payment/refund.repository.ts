import { Injectable } from '@nestjs/common';
import { guardOf } from '../common/state-machine.js';
import { literals, statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import { PAYMENT_TRANSITIONS, REFUND_TRANSITIONS, RefundState } from './payment-state.js';
import { columnsOf } from '../platform/postgres/entity-columns.js';
import { CAPTURED } from './captured.js';
import { RefundEntity } from './refund.entity.js';

const MEMBERS = [
  'id',
  'paymentId',
  'orderId',
  'state',
  'amount',
  'currency',
  'reason',
  'attempt',
  'providerRefundId',
  'createdAt',
] as const satisfies readonly (keyof RefundEntity)[];

export interface RefundRow extends Readonly<Pick<RefundEntity, (typeof MEMBERS)[number]>> {
  /** The provider's id of the charge that is paid back. */
  readonly transactionId: string;
}

export interface RefundRequestRow {
  readonly id: string;
  readonly orderId: string;
  /** null: everything that is not refunded yet. */
  readonly amount: number | null;
  readonly reason: string;
}

export interface RefundMove {
  readonly id: string;
  readonly providerRefundId?: string | null;
  readonly failure?: string | null;
}

/** A refund that had settled and that the provider has taken back. */
export interface TakenBack extends Readonly<
  Pick<RefundEntity, 'id' | 'orderId' | 'amount' | 'currency' | 'attempt' | 'lateFailures'>
> {
  readonly transactionId: string;
}

/**
 * Sets the amount aside on the payment and creates the refund, in one statement. Of concurrent refunds, those that would
 * exceed what was captured are not created; the CHECK on payments guards the same.
 */
const REQUEST = statement(
  'refunds.request',
  `WITH wanted AS (
     SELECT wish.id, wish.reason, payments.id AS payment_id, payments.order_id, payments.currency,
       coalesce(wish.amount, ${CAPTURED} - payments.refund_reserved) AS amount
     FROM unnest($1::uuid[], $2::uuid[], $3::int8[], $4::text[]) AS wish (id, order_id, amount, reason)
     JOIN payments ON payments.order_id = wish.order_id AND payments.state = 'CAPTURED'
     ORDER BY payments.id FOR UPDATE OF payments
   ), reserved AS (
     UPDATE payments SET refund_reserved = refund_reserved + wanted.amount, updated_at = now()
     FROM wanted WHERE payments.id = wanted.payment_id AND wanted.amount > 0 AND refund_reserved + wanted.amount <= ${CAPTURED}
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

/** The provider has given the refund an id, but it is not done: from now on it is looked up by that id. */
const NOTE = statement(
  'refunds.note',
  `UPDATE refunds SET provider_refund_id = known.provider_refund_id, updated_at = now()
   FROM unnest($1::uuid[], $2::text[]) AS known (id, provider_refund_id)
   WHERE refunds.id = known.id AND state IN ('PENDING', 'IN_DOUBT')`,
);

/** A definite failure needs a new idempotency key: the provider would answer the old one with the same failure. */
const RETRY = statement(
  'refunds.retry',
  `UPDATE refunds SET state = 'PENDING', attempt = attempt + 1, provider_refund_id = NULL, updated_at = now() WHERE id = ANY($1::uuid[]) AND state IN (${literals(guardOf(REFUND_TRANSITIONS, 'PENDING'))}) RETURNING id`,
);

const SETTLE_PAYMENTS = statement(
  'refunds.settle-payments',
  `UPDATE payments SET refunded_amount = refunded_amount + settled.amount, updated_at = now(),
     state = CASE WHEN refunded_amount + settled.amount = ${CAPTURED} THEN 'REFUNDED' ELSE state END
   FROM (SELECT payment_id, sum(amount)::int8 AS amount FROM unnest($1::uuid[], $2::int8[]) AS one (payment_id, amount) GROUP BY payment_id) AS settled
   WHERE payments.id = settled.payment_id AND state IN (${literals(guardOf(PAYMENT_TRANSITIONS, 'REFUNDED'))})`,
);

/**
 * Guarded by the provider's id as well, because a refund that has since been repaid has another one. The amount stays set
 * aside on the payment, so that it cannot be requested a second time while it is paid again.
 */
const TAKE_BACK = statement(
  'refunds.take-back',
  `WITH failed AS (
     UPDATE refunds SET state = 'FAILED', failure = wish.failure, late_failures = late_failures + 1, updated_at = now()
     FROM unnest($1::uuid[], $2::text[], $3::text[]) AS wish (id, provider_refund_id, failure)
     WHERE refunds.id = wish.id AND refunds.provider_refund_id = wish.provider_refund_id AND state = 'SETTLED'
     RETURNING refunds.id, payment_id, order_id, amount, currency, attempt, late_failures
   ), opened AS (
     UPDATE payments SET refunded_amount = refunded_amount - sums.amount, updated_at = now(),
       state = CASE state WHEN 'REFUNDED' THEN 'CAPTURED' ELSE state END
     FROM (SELECT payment_id, sum(amount)::int8 AS amount FROM failed GROUP BY payment_id) AS sums
     WHERE payments.id = sums.payment_id RETURNING payments.id, transaction_id
   )
   SELECT failed.id, order_id AS "orderId", amount, currency, attempt, late_failures AS "lateFailures", transaction_id AS "transactionId"
   FROM failed JOIN opened ON opened.id = payment_id`,
);

const SETTLED = statement(
  'refunds.settled',
  `SELECT refunds.id, refunds.order_id AS "orderId", provider_refund_id AS "providerRefundId" FROM refunds JOIN payments ON payments.id = payment_id
   WHERE refunds.order_id = ANY($1::uuid[]) AND payments.provider = $2 AND refunds.state = 'SETTLED' AND provider_refund_id IS NOT NULL`,
);

const FIND = statement(
  'refunds.find',
  `SELECT ${columnsOf(RefundEntity, MEMBERS, 'refunds')}, payments.transaction_id AS "transactionId"
   FROM refunds JOIN payments ON payments.id = payment_id WHERE refunds.id = ANY($1::uuid[])`,
);

@Injectable()
export class RefundRepository {
  /** Creates the refunds for which there is room. Ids that are missing in the answer would exceed what was captured. */
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

  /** Settled refunds are added to their payment in the same transaction, and only once, because the move is guarded. */
  async settle(tx: Tx, moves: readonly RefundMove[]): Promise<Map<string, { orderId: string; amount: number }>> {
    const rows = await this.move(tx, 'SETTLED', moves);
    if (rows.length > 0) tx.send(SETTLE_PAYMENTS, [rows.map((row) => row.paymentId), rows.map((row) => row.amount)]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** For refunds that are under way. A settled one is taken back instead, because its payment counts it. */
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

  note(tx: Tx, known: readonly { id: string; providerRefundId: string }[]): void {
    if (known.length > 0) tx.send(NOTE, [known.map(({ id }) => id), known.map((each) => each.providerRefundId)]);
  }

  /** Returns the refunds that were settled until now. The others are already known to have failed, or repaid. */
  takeBack(tx: Tx, failed: readonly { id: string; providerRefundId: string; failure: string }[]): Promise<TakenBack[]> {
    return tx.query<TakenBack>(TAKE_BACK, [
      failed.map(({ id }) => id),
      failed.map(({ providerRefundId }) => providerRefundId),
      failed.map(({ failure }) => failure),
    ]);
  }

  /** The refunds that we consider settled, with the provider's ids. */
  settled(
    db: Queryable,
    provider: string,
    orderIds: readonly string[],
  ): Promise<{ id: string; orderId: string; providerRefundId: string }[]> {
    return db.query(SETTLED, [orderIds, provider]);
  }

  find(db: Queryable, ids: readonly string[]): Promise<RefundRow[]> {
    return db.query<RefundRow>(FIND, [ids]);
  }

  private async move(tx: Tx, to: RefundState, moves: readonly RefundMove[]) {
    if (moves.length === 0) return [];
    return tx.query<{ id: string; paymentId: string; orderId: string; amount: number }>(MOVE, [
      to,
      guardOf(REFUND_TRANSITIONS, to, ['SETTLED']),
      moves.map((move) => move.id),
      moves.map((move) => move.providerRefundId ?? null),
      moves.map((move) => move.failure ?? null),
    ]);
  }
}
