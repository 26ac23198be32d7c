import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../platform/postgres/entity-columns.js';
import { Instance } from '../../platform/postgres/instance.entity.js';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable } from '../../platform/postgres/tx.js';
import { IS_OPEN, IS_WATCHED } from '../../saga/saga.repository.js';
import type { InstanceSample } from './instance-sample.js';

export interface SampleRow {
  readonly instanceId: string;
  readonly at: Date;
  readonly seconds: number;
  readonly sample: InstanceSample;
}

export interface InstanceRow extends Readonly<
  Pick<Instance, 'id' | 'host' | 'pid' | 'release' | 'state' | 'startedAt' | 'seenAt'>
> {
  /** By the database's clock. */
  readonly silentMs: number;
}

export interface SagaCount {
  readonly owner: string | null;
  readonly state: string;
  readonly count: number;
  readonly overdue: number;
}

export interface HeldStock {
  readonly units: number;
  readonly skus: number;
  readonly soldOut: number;
}

const STORE = statement(
  'overview.store-sample',
  `INSERT INTO instance_samples (instance_id, at, seconds, sample) VALUES ($1, now(), $2, $3) ON CONFLICT DO NOTHING`,
);
const SAMPLES = statement(
  'overview.samples',
  `SELECT instance_id AS "instanceId", at, seconds, sample FROM instance_samples
   WHERE at > now() - $1 * interval '1 second' ORDER BY at LIMIT 20000`,
);
/** At least one per minute: the last sample of an instance has its load. */
const INSTANCES = statement(
  'overview.instances',
  `SELECT ${columnsOf(Instance, ['id', 'host', 'pid', 'release', 'state', 'startedAt', 'seenAt'])},
     (extract(epoch FROM now() - seen_at) * 1000)::int AS "silentMs"
   FROM instances WHERE seen_at > now() - interval '1 hour' ORDER BY started_at, id LIMIT 200`,
);
const SAGAS = statement(
  'overview.sagas',
  `SELECT CASE WHEN state IN ('RUNNING', 'COMPENSATING') THEN split_part(owner, ' ', 1) END AS owner, state, count(*)::int AS count,
     count(*) FILTER (WHERE state <> 'STUCK' AND due_at < now() - interval '60 seconds')::int AS overdue
   FROM sagas WHERE ${IS_WATCHED} AND ${IS_OPEN} GROUP BY 1, 2`,
);
const IS_ID = `'^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`;
const IN_DOUBT = statement(
  'overview.in-doubt',
  `SELECT count(*)::int AS count, min(payments.updated_at) AS "oldestAt"
   FROM (SELECT CASE WHEN subject ~ ${IS_ID} THEN subject::uuid END AS order_id FROM sagas WHERE ${IS_WATCHED} AND ${IS_OPEN}) AS open
   JOIN payments ON payments.order_id = open.order_id WHERE payments.state = 'IN_DOUBT'`,
);
const HELD = statement(
  'overview.held-stock',
  `SELECT coalesce(sum(reserved), 0)::int8 AS units, count(*) FILTER (WHERE reserved > 0)::int AS skus,
     count(*) FILTER (WHERE on_hand = reserved)::int AS "soldOut" FROM skus`,
);
const PURGE = statement(
  'overview.purge',
  `DELETE FROM instance_samples WHERE (at, instance_id) IN (
     SELECT at, instance_id FROM instance_samples WHERE at < now() - $1 * interval '1 second' ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING 1 AS one`,
);

@Injectable()
export class OverviewRepository {
  async store(db: Queryable, instanceId: string, seconds: number, sample: InstanceSample): Promise<void> {
    await db.query(STORE, [instanceId, seconds, JSON.stringify(sample)]);
  }

  samples(db: Queryable, seconds: number): Promise<SampleRow[]> {
    return db.query<SampleRow>(SAMPLES, [seconds]);
  }

  instances(db: Queryable): Promise<InstanceRow[]> {
    return db.query<InstanceRow>(INSTANCES, []);
  }

  /** Open sagas, by driver. */
  sagas(db: Queryable): Promise<SagaCount[]> {
    return db.query<SagaCount>(SAGAS, []);
  }

  async inDoubt(db: Queryable): Promise<{ readonly count: number; readonly oldestAt: Date | null }> {
    const [row] = await db.query<{ count: number; oldestAt: Date | null }>(IN_DOUBT, []);
    return row ?? { count: 0, oldestAt: null };
  }

  /** Reads every SKU, so it runs in a survey. */
  async held(db: Queryable): Promise<HeldStock> {
    const [row] = await db.query<HeldStock>(HELD, []);
    return row ?? { units: 0, skus: 0, soldOut: 0 };
  }

  async purge(db: Queryable, olderThanSeconds: number, limit: number): Promise<number> {
    return (await db.query(PURGE, [olderThanSeconds, limit])).length;
  }
}
