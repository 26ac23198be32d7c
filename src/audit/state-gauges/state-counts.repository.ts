import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable } from '../../platform/postgres/tx.js';
import { IS_OPEN, IS_WATCHED } from '../../saga/saga.repository.js';

/** One number about the database, with `saga` and `state` as optional labels. */
export interface StateCount {
  readonly metric: string;
  readonly saga: string | null;
  readonly state: string | null;
  readonly value: number;
}

const AGE = (column: string) => `coalesce(extract(epoch FROM now() - min(${column})), 0)::float8`;

/** Open work. Each part is served by a queue or a small partial index, so it stays cheap as tables grow. */
const OPEN = statement(
  'states.open',
  `SELECT 'sagas_by_state' AS metric, name AS saga, state, count(*)::float8 AS value FROM sagas
     WHERE ${IS_WATCHED} AND ${IS_OPEN} GROUP BY name, state
   UNION ALL SELECT 'sagas_overdue', NULL, NULL, count(*)::float8 FROM sagas
     WHERE ${IS_WATCHED} AND ${IS_OPEN} AND state <> 'STUCK' AND due_at < now() - interval '60 seconds'
   UNION ALL SELECT 'reservations_overdue', NULL, NULL, count(*)::float8 FROM reservations WHERE sweep_at < now()
   UNION ALL SELECT 'authorizations_expiring', NULL, NULL, count(*)::float8 FROM payments
     WHERE authorized_until < now() + interval '1 day' AND state = 'AUTHORIZED'
   UNION ALL SELECT 'authorizations_expired', NULL, NULL, count(*)::float8 FROM payments JOIN orders ON orders.id = order_id
     WHERE authorized_until IS NOT NULL AND payments.state = 'EXPIRED' AND orders.state = 'CONFIRMED'
   UNION ALL SELECT 'disputes_open', NULL, NULL, count(*)::float8 FROM payments WHERE dispute IS NOT NULL AND dispute ->> 'state' = 'OPEN'
   UNION ALL SELECT 'webhook_inbox_pending', NULL, NULL, count(*)::float8 FROM webhook_inbox WHERE state = 'RECEIVED'
   UNION ALL SELECT 'webhook_inbox_oldest_age_seconds', NULL, NULL, ${AGE('received_at')} FROM webhook_inbox WHERE state = 'RECEIVED'
   UNION ALL SELECT 'outbox_unpublished', NULL, NULL, coalesce(sum(cardinality(positions)), 0)::float8 FROM outbox_queue
   UNION ALL SELECT 'outbox_oldest_age_seconds', NULL, NULL, ${AGE('created_at')} FROM outbox
     WHERE position = (SELECT min(waiting) FROM outbox_queue, unnest(positions) AS waiting)`,
);

/**
 * Ended work, and payments. Whole tables are counted, which is why readings are paced. A charge with a provider id may
 * be processed for days: it is waiting, no longer in doubt.
 */
const ALL = statement(
  'states.all',
  `SELECT 'orders_by_state' AS metric, NULL AS saga, state, count(*)::float8 AS value FROM orders GROUP BY state
   UNION ALL SELECT 'sagas_by_state', name, state, count(*)::float8 FROM sagas
     WHERE state IN ('COMPLETED', 'COMPENSATED', 'RESOLVED') GROUP BY name, state
   UNION ALL SELECT 'reservations_by_state', NULL, state, count(*)::float8 FROM reservations GROUP BY state
   UNION ALL SELECT 'payments_by_state', NULL, state, count(*)::float8 FROM payments GROUP BY state
   UNION ALL SELECT 'payments_in_doubt_oldest_age_seconds', NULL, NULL, ${AGE('updated_at')} FROM payments WHERE state = 'IN_DOUBT' AND transaction_id IS NULL
   UNION ALL SELECT 'refunds_by_state', NULL, state, count(*)::float8 FROM refunds GROUP BY state
   UNION ALL SELECT 'credit_holds_by_state', NULL, state, count(*)::float8 FROM credit_holds GROUP BY state
   UNION ALL SELECT 'webhook_inbox_dead', NULL, NULL, count(*)::float8 FROM webhook_inbox WHERE state = 'DEAD'`,
);

@Injectable()
export class StateCountsRepository {
  open(db: Queryable): Promise<StateCount[]> {
    return db.query<StateCount>(OPEN, []);
  }

  all(db: Queryable): Promise<StateCount[]> {
    return db.query<StateCount>(ALL, []);
  }
}
