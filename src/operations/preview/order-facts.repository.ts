import { Injectable } from '@nestjs/common';
import { isId } from '../../common/id.js';
import { CAPTURED } from '../../payment/captured.js';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable } from '../../platform/postgres/tx.js';
import type { EffectLine } from './effect.js';
import type { OrderFacts } from './order-facts.js';

const FACTS = statement(
  'operations.order-facts',
  `SELECT orders.id AS "orderId", orders.state, orders.currency, orders.total, orders.lines, orders.customer_email AS "customerEmail",
     orders.created_at AS "createdAt", payments.state AS payment, coalesce(payments.amount, 0) AS amount,
     CASE WHEN payments.state IN ('CAPTURED', 'REFUNDED') THEN ${CAPTURED} ELSE 0 END AS captured,
     coalesce(payments.refunded_amount, 0) AS refunded, coalesce(payments.refund_reserved, 0) AS "refundReserved",
     coalesce(payments.credited_amount, 0) AS credited,
     payments.provider, payments.transaction_id AS "transactionId", reservations.state AS hold,
     coalesce(shares.credit, 0)::int8 AS credit, coalesce(shares.taken, 0)::int8 AS "creditTaken"
   FROM orders LEFT JOIN payments ON payments.order_id = orders.id LEFT JOIN reservations ON reservations.id = orders.reservation_id
   LEFT JOIN LATERAL (
     SELECT sum(credit_holds.amount - credit_holds.refunded_amount) FILTER (WHERE credit_holds.state IN ('HELD', 'TAKEN')) AS credit,
       sum(credit_holds.amount) FILTER (WHERE credit_holds.state = 'TAKEN') AS taken
     FROM credit_holds WHERE credit_holds.order_id = orders.id) AS shares ON true
   WHERE orders.id = ANY($1::uuid[])`,
);

@Injectable()
export class OrderFactsRepository {
  /** By order. Orders that do not exist are left out. */
  async of(db: Queryable, orderIds: readonly string[]): Promise<Map<string, OrderFacts>> {
    const ids = orderIds.filter(isId);
    if (ids.length === 0) return new Map();
    const rows = await db.query<OrderFacts>(FACTS, [ids]);
    return new Map(rows.map((row) => [row.orderId, { ...row, lines: row.lines.map(bare) }]));
  }
}

/** The lines of an order also have names and prices, which are not needed here. */
function bare({ sku, quantity }: EffectLine): EffectLine {
  return { sku, quantity };
}
