import { Injectable } from '@nestjs/common';
import { guardOf } from '../common/state-machine.js';
import { overRows } from '../platform/postgres/rows.js';
import { expectingRows, literals, statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import { ORDER_TRANSITIONS, type OrderState } from './order-state.js';
import type { OrderLine, OrderRejection } from './order.entity.js';

export interface NewOrder {
  readonly id: string;
  readonly sagaId: string;
  readonly reservationId: string;
  readonly currency: string;
  readonly total: number;
  readonly lines: readonly OrderLine[];
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
  readonly customerId: string | null;
  readonly customerEmail: string | null;
  readonly sagaId: string;
  readonly reservationId: string;
  readonly rejection: OrderRejection | null;
  readonly metadata: Record<string, unknown>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const ORDER_COLUMNS = `id, state, currency, total, lines, customer_id AS "customerId", customer_email AS "customerEmail", saga_id AS "sagaId",
  reservation_id AS "reservationId",  rejection, metadata, created_at AS "createdAt", updated_at AS "updatedAt"`;

const INSERT = overRows<NewOrder>(
  'orders.insert',
  {
    id: 'uuid',
    currency: 'text',
    total: 'bigint',
    lines: 'jsonb',
    customerId: 'text',
    customerEmail: 'text',
    sagaId: 'uuid',
    reservationId: 'uuid',
    metadata: 'jsonb',
    idempotencyDigest: 'text',
    createdAt: 'timestamptz',
  },
  (given) => `
   INSERT INTO orders (id, state, currency, total, lines, customer_id, customer_email, saga_id, reservation_id, metadata, idempotency_digest, created_at, updated_at)
   SELECT id, 'PENDING', currency, total, lines, "customerId", "customerEmail", "sagaId", "reservationId", metadata, decode("idempotencyDigest", 'hex'), "createdAt", "createdAt"
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
  `UPDATE orders SET state = 'CANCELLED', updated_at = now() WHERE id = ANY($1::uuid[]) AND state IN (${ENTERING.CANCELLED}) RETURNING id`,
);

const REHOLD = statement(
  'orders.rehold',
  `UPDATE orders SET reservation_id = hold.reservation_id FROM unnest($1::uuid[], $2::uuid[]) AS hold (id, reservation_id) WHERE orders.id = hold.id`,
);

const FIND = statement('orders.find', `SELECT ${ORDER_COLUMNS} FROM orders WHERE id = ANY($1::uuid[])`);

@Injectable()
export class OrderRepository {
  insert(tx: Tx, orders: readonly NewOrder[]): void {
    tx.send(INSERT, INSERT.params(orders));
  }

  /** All of them, or the transaction is refused: an order that is not PENDING cannot be confirmed. */
  confirm(tx: Tx, ids: readonly string[], at: Date): void {
    if (ids.length === 0) return;
    tx.expect(CONFIRM, [ids, at, ids.length]);
  }

  reject(tx: Tx, refusals: readonly { id: string; rejection: OrderRejection }[], at: Date): Promise<Set<string>> {
    const params = [
      refusals.map((refusal) => refusal.id),
      refusals.map((refusal) => JSON.stringify(refusal.rejection)),
      at,
    ];
    return landed(tx.query<{ id: string }>(REJECT, params));
  }

  cancel(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
    return landed(tx.query<{ id: string }>(CANCEL, [ids]));
  }

  /** The hold had run out and was acquired anew. */
  rehold(tx: Tx, holds: readonly { orderId: string; reservationId: string }[]): void {
    tx.send(REHOLD, [holds.map((hold) => hold.orderId), holds.map((hold) => hold.reservationId)]);
  }

  find(db: Queryable, ids: readonly string[]): Promise<OrderRow[]> {
    return db.query<OrderRow>(FIND, [ids]);
  }
}

async function landed(rows: Promise<{ id: string }[]>): Promise<Set<string>> {
  return new Set((await rows).map((row) => row.id));
}
