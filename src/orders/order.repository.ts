import { Injectable } from '@nestjs/common';
import { guardOf } from '../common/state-machine.js';
import { overRows } from '../platform/postgres/rows.js';
import { expectingRows, literals, statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import { ORDER_TRANSITIONS, type OrderState } from './order-state.js';
import type { CreditShare, Discount } from '../common/totals.js';
import { type ReservationSummary, SUMMARY } from '../inventory/reservation/reservation-lifecycle.repository.js';
import type { OrderLine, OrderRejection } from './order.entity.js';

export interface NewOrder {
  readonly id: string;
  readonly sagaId: string;
  readonly reservationId: string;
  readonly currency: string;
  readonly total: number;
  readonly lines: readonly OrderLine[];
  readonly discounts: readonly Discount[] | null;
  readonly hasClaims: boolean | null;
  readonly customerId: string | null;
  readonly customerEmail: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Of its Idempotency-Key, in hex. */
  readonly idempotencyDigest: string | null;
  /** RFC 3339, chosen by the saga so that its answer needs no second look. */
  readonly createdAt: string;
}

export interface OrderRow {
  readonly id: string;
  readonly state: OrderState;
  readonly currency: string;
  readonly total: number;
  readonly lines: OrderLine[];
  readonly discounts: Discount[] | null;
  readonly credit: CreditShare[] | null;
  readonly customerId: string | null;
  readonly customerEmail: string | null;
  readonly sagaId: string;
  readonly reservationId: string;
  readonly rejection: OrderRejection | null;
  readonly metadata: Record<string, unknown>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const ORDER_COLUMNS = `id, state, currency, total, lines, discounts, credit, customer_id AS "customerId", customer_email AS "customerEmail", saga_id AS "sagaId",
  reservation_id AS "reservationId",  rejection, metadata, created_at AS "createdAt", updated_at AS "updatedAt"`;

const INSERT = overRows<NewOrder>(
  'orders.insert',
  {
    id: 'uuid',
    currency: 'text',
    total: 'bigint',
    lines: 'jsonb',
    discounts: 'jsonb',
    hasClaims: 'boolean',
    customerId: 'text',
    customerEmail: 'text',
    sagaId: 'uuid',
    reservationId: 'uuid',
    metadata: 'jsonb',
    idempotencyDigest: 'text',
    createdAt: 'timestamptz',
  },
  (given) => `
   INSERT INTO orders (id, state, currency, total, lines, discounts, has_claims, customer_id, customer_email, saga_id, reservation_id, metadata, idempotency_digest, created_at, updated_at)
   SELECT id, 'PENDING', currency, total, lines, discounts, "hasClaims", "customerId", "customerEmail", "sagaId", "reservationId", metadata, decode("idempotencyDigest", 'hex'), "createdAt", "createdAt"
   FROM ${given}`,
);

/** Which orders may enter a state, by the table. */
const ENTERING = {
  CONFIRMED: literals(guardOf(ORDER_TRANSITIONS, 'CONFIRMED')),
  REJECTED: literals(guardOf(ORDER_TRANSITIONS, 'REJECTED')),
  CANCELLED: literals(guardOf(ORDER_TRANSITIONS, 'CANCELLED')),
};

const CONFIRM = expectingRows(
  'orders.confirm',
  '$3',
  `UPDATE orders SET state = 'CONFIRMED', updated_at = $2 WHERE id = ANY($1::uuid[]) AND state IN (${ENTERING.CONFIRMED})`,
);

const REJECT = statement(
  'orders.reject',
  `UPDATE orders SET state = 'REJECTED', rejection = refusal.rejection, updated_at = $3
   FROM unnest($1::uuid[], $2::jsonb[]) AS refusal (id, rejection)
   WHERE orders.id = refusal.id AND state IN (${ENTERING.REJECTED}) RETURNING orders.id`,
);

const CANCEL = statement(
  'orders.cancel',
  `UPDATE orders SET state = 'CANCELLED', has_claims = CASE WHEN has_claims THEN false END, updated_at = now() WHERE id = ANY($1::uuid[]) AND state IN (${ENTERING.CANCELLED}) RETURNING id`,
);

const REHOLD = statement(
  'orders.rehold',
  `UPDATE orders SET reservation_id = hold.reservation_id FROM unnest($1::uuid[], $2::uuid[]) AS hold (id, reservation_id) WHERE orders.id = hold.id`,
);

const SET_CREDIT = statement(
  'orders.set-credit',
  `UPDATE orders SET credit = paid.credit FROM unnest($1::uuid[], $2::jsonb[]) AS paid (id, credit) WHERE orders.id = paid.id`,
);

const FIND = statement('orders.find', `SELECT ${ORDER_COLUMNS} FROM orders WHERE id = ANY($1::uuid[])`);

/** By the orders' ids, so that it shares the round trip that reads the orders. */
const HOLDS = statement(
  'orders.holds',
  `SELECT o.id AS "orderId", ${SUMMARY} FROM orders o JOIN reservations r ON r.id = o.reservation_id WHERE o.id = ANY($1::uuid[])`,
);

@Injectable()
export class OrderRepository {
  insert(tx: Tx, orders: readonly NewOrder[]): void {
    tx.send(...INSERT.over(orders));
  }

  /** All of them, or the transaction is refused: an order that is not PENDING cannot be confirmed. */
  confirm(tx: Tx, ids: readonly string[], at: Date): void {
    if (ids.length > 0) tx.expect(CONFIRM, [ids, at, ids.length]);
  }

  reject(tx: Tx, refusals: readonly { id: string; rejection: OrderRejection }[], at: Date): Promise<Set<string>> {
    const params = [
      refusals.map((refusal) => refusal.id),
      refusals.map((refusal) => JSON.stringify(refusal.rejection)),
      at,
    ];
    return landed(tx.query<{ id: string }>(REJECT, params));
  }

  /** Says that what the orders had claimed goes back: the caller does that in this transaction. */
  cancel(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
    return landed(tx.query<{ id: string }>(CANCEL, [ids]));
  }

  /** The hold had run out and was acquired anew. */
  rehold(tx: Tx, holds: readonly { orderId: string; reservationId: string }[]): void {
    tx.send(REHOLD, [holds.map((hold) => hold.orderId), holds.map((hold) => hold.reservationId)]);
  }

  /** What accounts pay, as soon as it is held. */
  setCredit(tx: Tx, orders: readonly { orderId: string; credit: readonly CreditShare[] }[]): void {
    if (orders.length === 0) return;
    tx.send(SET_CREDIT, [orders.map(({ orderId }) => orderId), orders.map(({ credit }) => JSON.stringify(credit))]);
  }

  find(db: Queryable, ids: readonly string[]): Promise<OrderRow[]> {
    return db.query<OrderRow>(FIND, [ids]);
  }

  async holdsOf(db: Queryable, ids: readonly string[]): Promise<Map<string, ReservationSummary>> {
    const rows = await db.query<ReservationSummary & { orderId: string }>(HOLDS, [ids]);
    return new Map(rows.map(({ orderId, ...hold }) => [orderId, hold]));
  }
}

async function landed(rows: Promise<{ id: string }[]>): Promise<Set<string>> {
  return new Set((await rows).map((row) => row.id));
}
