import { firstIdOf } from '../../common/id.js';
import { CAPTURED } from '../../payment/captured.js';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable } from '../../platform/postgres/tx.js';

/** In the form of GET /v1/orders/{id}, with the refunds, which an order's books need. */
const PAGE = statement(
  'export.page',
  `SELECT orders.id, json_build_object(
     'id', orders.id, 'state', orders.state, 'currency', orders.currency, 'total', orders.total, 'lines', orders.lines,
     'discounts', coalesce(discounts, '[]'), 'credit', (SELECT coalesce(json_agg(json_build_object('accountId', account_id, 'state', credit_holds.state,
       'amount', amount, 'refundedAmount', refunded_amount) ORDER BY account_id), '[]') FROM credit_holds WHERE credit_holds.order_id = orders.id),
     'customer', json_strip_nulls(json_build_object('id', customer_id, 'email', customer_email)),
     'payment', (SELECT json_build_object('id', payments.id, 'state', payments.state, 'amount', amount,
       'capturedAmount', CASE WHEN payments.state IN ('CAPTURED', 'REFUNDED') THEN ${CAPTURED} ELSE 0 END, 'refundedAmount', refunded_amount,
       'authorizedUntil', authorized_until, 'dispute', dispute, 'creditedAmount', credited_amount, 'method', method, 'provider', provider, 'transactionId', transaction_id) FROM payments WHERE payments.order_id = orders.id),
     'refunds', (SELECT coalesce(json_agg(json_build_object('id', refunds.id, 'state', refunds.state, 'amount', amount, 'reason', reason,
       'createdAt', refunds.created_at) ORDER BY refunds.id), '[]') FROM refunds WHERE refunds.order_id = orders.id),
     'rejection', rejection, 'metadata', metadata, 'createdAt', orders.created_at, 'updatedAt', orders.updated_at)::text AS line
   FROM orders WHERE orders.id > $1::uuid AND orders.id < $2::uuid ORDER BY orders.id LIMIT $3`,
);
const COUNT = statement(
  'export.count',
  `SELECT count(*)::int AS count FROM orders WHERE id >= $1::uuid AND id < $2::uuid`,
);

const BATCH = 1_000;

export interface ExportedOrder {
  readonly id: string;
  /** One line of NDJSON, without its end. */
  readonly line: string;
}

/** Orders by the time of their making, page by page, so that nothing has to be held in memory or in one long transaction. */
export class OrderExport {
  private readonly from: string;
  private readonly to: string;

  constructor(
    private readonly db: Queryable,
    from: Date,
    to: Date,
  ) {
    this.from = firstIdOf(from.getTime());
    this.to = firstIdOf(to.getTime());
  }

  async count(): Promise<number> {
    const [row] = await this.db.query<{ count: number }>(COUNT, [this.from, this.to]);
    return row?.count ?? 0;
  }

  async *pages(): AsyncGenerator<readonly ExportedOrder[]> {
    for (let after = this.from; ;) {
      const page = await this.db.query<ExportedOrder & Record<string, unknown>>(PAGE, [after, this.to, BATCH]);
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < BATCH) return;
      after = last.id;
    }
  }
}
