import { Injectable } from '@nestjs/common';
import { literals, statement } from '../../platform/postgres/statement.js';
import type { Queryable } from '../../platform/postgres/tx.js';
import { OPEN_STATES } from '../../saga/saga-state.js';

/** The payment of an order that a person has to look at. `count` is how many there are of its kind. */
export interface NotedPayment {
  readonly orderId: string;
  /** When the authorisation ends or ended, or the dispute was opened. */
  readonly at: Date;
  readonly count: number;
}

/** The index of authorisations has no others. What a saga is at work on needs nobody. */
const AUTHORIZED = (condition: string) =>
  `SELECT order_id AS "orderId", authorized_until AS at, count(*) OVER ()::int AS count FROM payments JOIN orders ON orders.id = order_id
   WHERE authorized_until IS NOT NULL AND ${condition} AND orders.state = 'CONFIRMED'
     AND NOT EXISTS (SELECT FROM sagas WHERE subject = order_id::text AND sagas.state IN (${literals(OPEN_STATES)}))
   ORDER BY authorized_until LIMIT $1`;

const EXPIRING = statement(
  'attention.expiring',
  AUTHORIZED(`authorized_until < now() + interval '1 day' AND payments.state = 'AUTHORIZED'`),
);
const EXPIRED = statement('attention.expired', AUTHORIZED(`payments.state = 'EXPIRED'`));
const DISPUTED = statement(
  'attention.disputed',
  `SELECT order_id AS "orderId", (dispute ->> 'openedAt')::timestamptz AS at, count(*) OVER ()::int AS count FROM payments
   WHERE dispute IS NOT NULL AND dispute ->> 'state' = 'OPEN' ORDER BY 2 LIMIT $1`,
);

/** Payments that wait for a person, the most urgent first. */
@Injectable()
export class PaymentAttentionRepository {
  /** Authorised, and the authorisation ends within a day. */
  expiring(db: Queryable, limit: number): Promise<NotedPayment[]> {
    return db.query<NotedPayment>(EXPIRING, [limit]);
  }

  /** The order stands, and nothing pays for it any more. */
  expired(db: Queryable, limit: number): Promise<NotedPayment[]> {
    return db.query<NotedPayment>(EXPIRED, [limit]);
  }

  disputed(db: Queryable, limit: number): Promise<NotedPayment[]> {
    return db.query<NotedPayment>(DISPUTED, [limit]);
  }
}
