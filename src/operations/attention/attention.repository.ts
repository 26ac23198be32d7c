import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable } from '../../platform/postgres/tx.js';
import { IS_BACK } from '../../saga/operator/saga-search.repository.js';
import { IS_WATCHED } from '../../saga/saga.repository.js';

/** Sagas that are stuck at the same place for the same reason. */
export interface StuckCount {
  readonly name: string;
  readonly version: number;
  readonly position: number;
  /** The saga is compensating. */
  readonly isBack: boolean;
  readonly code: string | null;
  readonly count: number;
  readonly oldestAt: Date;
}

export interface DoubtfulPayment {
  readonly orderId: string;
  readonly sagaId: string;
  readonly since: Date;
}

export interface DeadCount {
  readonly key: string;
  readonly count: number;
  readonly oldestAt: Date;
}

export interface DeadDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly url: string;
  readonly isDisabled: boolean;
  readonly type: string;
  readonly subject: string;
  readonly problem: string;
  readonly createdAt: Date;
}

const STUCK_COUNTS = statement(
  'attention.stuck-counts',
  `SELECT name, version, position, ${IS_BACK} AS "isBack", failure ->> 'code' AS code, count(*)::int AS count, min(updated_at) AS "oldestAt"
   FROM sagas WHERE ${IS_WATCHED} AND state = 'STUCK' GROUP BY name, version, position, ${IS_BACK}, failure ->> 'code'
   ORDER BY min(updated_at)`,
);

/** The newest sagas of each place, so that one cause with thousands of sagas does not hide another cause. */
const STUCK = statement(
  'attention.stuck',
  `SELECT id FROM (
     SELECT id, row_number() OVER (PARTITION BY name, version, position, ${IS_BACK}, failure ->> 'code' ORDER BY id DESC) AS place
     FROM sagas WHERE ${IS_WATCHED} AND state = 'STUCK') AS stuck
   WHERE place <= $1 ORDER BY id DESC LIMIT $2`,
);

const IS_ID = `'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;

/** Found by the open sagas: payments have no index of states (ADR 14). */
const DOUBTFUL = statement(
  'attention.doubtful',
  `SELECT payments.order_id AS "orderId", open.id AS "sagaId", payments.updated_at AS since
   FROM (SELECT id, CASE WHEN subject ~ ${IS_ID} THEN subject::uuid END AS order_id FROM sagas
         WHERE ${IS_WATCHED} AND state IN ('RUNNING', 'WAITING', 'COMPENSATING')) AS open
   JOIN payments ON payments.order_id = open.order_id
   WHERE payments.state = 'IN_DOUBT' AND payments.updated_at < now() - $1 * interval '1 millisecond'
   ORDER BY payments.updated_at LIMIT $2`,
);

const DEAD_CALLBACKS = statement(
  'attention.dead-callbacks',
  `SELECT type AS key, count(*)::int AS count, min(received_at) AS "oldestAt" FROM webhook_inbox WHERE state = 'DEAD'
   GROUP BY type ORDER BY min(received_at)`,
);

const DEAD_LETTERS = statement(
  'attention.dead-letters',
  `SELECT code AS key, count(*)::int AS count, min(created_at) AS "oldestAt" FROM dead_letters WHERE state = 'OPEN'
   GROUP BY code ORDER BY min(created_at)`,
);

const DEAD_DELIVERY_COUNTS = statement(
  'attention.dead-delivery-counts',
  `SELECT endpoint_id::text AS key, count(*)::int AS count, min(created_at) AS "oldestAt" FROM webhook_deliveries
   WHERE state = 'DEAD' GROUP BY endpoint_id ORDER BY min(created_at)`,
);

const DEAD_DELIVERIES = statement(
  'attention.dead-deliveries',
  `SELECT dead.id, dead.endpoint_id AS "endpointId", url, disabled_at IS NOT NULL AS "isDisabled", type, subject, created_at AS "createdAt",
     coalesce(last_error, 'answered ' || last_status, 'given up') AS problem
   FROM (SELECT id AS endpoint, url, disabled_at FROM webhook_endpoints) AS endpoints
   CROSS JOIN LATERAL (
     SELECT * FROM webhook_deliveries WHERE endpoint_id = endpoint AND state = 'DEAD' LIMIT $1) AS dead`,
);

@Injectable()
export class AttentionRepository {
  stuckCounts(db: Queryable): Promise<StuckCount[]> {
    return db.query<StuckCount>(STUCK_COUNTS, []);
  }

  async stuck(db: Queryable, perCause: number, limit: number): Promise<string[]> {
    return (await db.query<{ id: string }>(STUCK, [perCause, limit])).map(({ id }) => id);
  }

  doubtful(db: Queryable, olderThanMs: number, limit: number): Promise<DoubtfulPayment[]> {
    return db.query<DoubtfulPayment>(DOUBTFUL, [olderThanMs, limit]);
  }

  deadCallbacks(db: Queryable): Promise<DeadCount[]> {
    return db.query<DeadCount>(DEAD_CALLBACKS, []);
  }

  deadLetters(db: Queryable): Promise<DeadCount[]> {
    return db.query<DeadCount>(DEAD_LETTERS, []);
  }

  deadDeliveryCounts(db: Queryable): Promise<DeadCount[]> {
    return db.query<DeadCount>(DEAD_DELIVERY_COUNTS, []);
  }

  deadDeliveries(db: Queryable, perEndpoint: number): Promise<DeadDelivery[]> {
    return db.query<DeadDelivery>(DEAD_DELIVERIES, [perEndpoint]);
  }
}
