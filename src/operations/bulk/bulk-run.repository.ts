import { Injectable } from '@nestjs/common';
import { LessThan, MoreThan } from 'typeorm';
import { guardOf } from '../../common/state-machine.js';
import { Entities } from '../../platform/postgres/entities.js';
import { overRows } from '../../platform/postgres/rows.js';
import { literals, statement } from '../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../platform/postgres/tx.js';
import type { BulkFilter, BulkPreview } from './bulk-run.dto.js';
import type { BulkAction } from './bulk-action.js';
import { BULK_TRANSITIONS, BulkItem, BulkRun, type BulkState, type ItemState } from './bulk-run.entity.js';

export interface NewRun {
  readonly id: string;
  readonly action: BulkAction;
  readonly filter: BulkFilter;
  readonly perSecond: number;
  readonly actor: string;
  readonly reason: string;
  readonly preview: BulkPreview;
  readonly isTruncated: boolean;
}

/** A run as its driver sees it. */
export type DrivenRun = Readonly<Pick<BulkRun, 'id' | 'action' | 'perSecond' | 'actor' | 'reason' | 'epoch'>>;

export interface TakenItem {
  readonly position: number;
  readonly subject: string;
  readonly orderId: string | null;
}

const INSERT = statement(
  'bulk.insert',
  `INSERT INTO bulk_runs (id, action, filter, state, per_second, actor, reason, preview, total, is_truncated)
   VALUES ($1, $2, $3, 'PLANNED', $4, $5, $6, $7, $8, $9)`,
);
const INSERT_ITEMS = overRows<Pick<BulkItem, 'runId' | 'position' | 'subject' | 'orderId'>>(
  'bulk.insert-items',
  { runId: 'uuid', position: 'int', subject: 'text', orderId: 'uuid' },
  (given) => `INSERT INTO bulk_items (run_id, position, subject, order_id)
   SELECT "runId", position, subject, "orderId" FROM ${given}`,
);

/**
 * A start raises the epoch and ends the lease: a driver that has not noticed the stop can write nothing more. A plan
 * that is too old is refused, because it may no longer be what the operator has in mind.
 */
const START = statement(
  'bulk.start',
  `UPDATE bulk_runs SET state = 'RUNNING', epoch = epoch + 1, lease_until = NULL, owner = NULL, stop_reason = NULL,
     started_at = coalesce(started_at, now()), ended_at = NULL, updated_at = now()
   WHERE id = $1 AND state IN (${literals(guardOf(BULK_TRANSITIONS, 'RUNNING'))})
     AND (state <> 'PLANNED' OR created_at > now() - $2 * interval '1 second') RETURNING id`,
);
const MOVE = statement(
  'bulk.move',
  `UPDATE bulk_runs SET state = $2, stop_reason = $4, ended_at = now(), owner = NULL, lease_until = NULL, updated_at = now()
   WHERE id = $1 AND state = ANY($3::text[]) AND ($5::int IS NULL OR epoch = $5) RETURNING id`,
);

const CLAIM = statement(
  'bulk.claim',
  `UPDATE bulk_runs SET owner = $1, epoch = epoch + 1, updated_at = now(),
     lease_until = now() + greatest($2, 3000 / per_second) * interval '1 millisecond'
   WHERE id IN (SELECT id FROM bulk_runs WHERE state = 'RUNNING' AND coalesce(lease_until, now()) <= now()
     ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING id, action, per_second AS "perSecond", actor, reason, epoch`,
);

/**
 * Renews the lease and takes the next item, if this driver still owns the run. An item that was begun is returned
 * again.
 */
const TAKE = statement(
  'bulk.take',
  `WITH mine AS (
     UPDATE bulk_runs SET lease_until = now() + greatest($3, 3000 / per_second) * interval '1 millisecond', updated_at = now()
     WHERE id = $1 AND epoch = $2 AND state = 'RUNNING' RETURNING id
   ), taken AS (
     UPDATE bulk_items SET state = 'BEGUN', at = now()
     WHERE (run_id, position) = (SELECT run_id, position FROM bulk_items JOIN mine ON run_id = mine.id
       WHERE state IN ('PENDING', 'BEGUN') ORDER BY position LIMIT 1)
     RETURNING position, subject, order_id)
   SELECT position, subject, order_id AS "orderId" FROM mine LEFT JOIN taken ON true`,
);

/** The counters change together with the item, guarded by the driver's epoch. */
const FINISH = statement(
  'bulk.finish',
  `WITH mine AS (SELECT id AS run FROM bulk_runs WHERE id = $1 AND epoch = $2 FOR UPDATE), item AS (
     UPDATE bulk_items SET state = $4, result = $5, at = now()
     FROM mine WHERE run_id = run AND position = $3 AND state = 'BEGUN' RETURNING state)
   UPDATE bulk_runs SET updated_at = now(), done = done + (item.state = 'DONE')::int,
     refused = refused + (item.state = 'REFUSED')::int, failed = failed + (item.state = 'FAILED')::int
   FROM item WHERE id = $1`,
);

/** Plans that nobody started, and runs that ended long ago. */
const PURGE = statement(
  'bulk.purge',
  `DELETE FROM bulk_runs WHERE id IN (
     SELECT id FROM bulk_runs WHERE (state IN ('PLANNED', 'DISCARDED') AND created_at < now() - interval '1 day')
       OR (state IN ('COMPLETED', 'STOPPED') AND updated_at < now() - $1 * interval '1 second')
     LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1 AS one`,
);

@Injectable()
export class BulkRunRepository {
  constructor(private readonly entities: Entities) {}

  insert(tx: Tx, run: NewRun, items: readonly Pick<BulkItem, 'subject' | 'orderId'>[]): void {
    const { id, action, filter, perSecond, actor, reason, preview, isTruncated } = run;
    const texts = [JSON.stringify(filter), perSecond, actor, reason, JSON.stringify(preview)];
    tx.send(INSERT, [id, action, ...texts, items.length, isTruncated]);
    const rows = items.map(({ subject, orderId }, position) => ({ runId: id, position, subject, orderId }));
    tx.send(...INSERT_ITEMS.over(rows));
  }

  find(id: string): Promise<BulkRun | null> {
    return this.entities.of(BulkRun).findOneBy({ id });
  }

  list(state: BulkState | undefined, before: string | undefined, limit: number): Promise<BulkRun[]> {
    const where = { ...(state && { state }), ...(before !== undefined && { id: LessThan(before) }) };
    return this.entities.of(BulkRun).find({ where, order: { id: 'DESC' }, take: limit });
  }

  items(runId: string, state: ItemState | undefined, after: number | undefined, limit: number): Promise<BulkItem[]> {
    const where = { runId, ...(state && { state }), ...(after !== undefined && { position: MoreThan(after) }) };
    return this.entities.of(BulkItem).find({ where, order: { position: 'ASC' }, take: limit });
  }

  async start(tx: Tx, id: string, planValidSeconds: number): Promise<boolean> {
    return (await tx.query(START, [id, planValidSeconds])).length > 0;
  }

  /** With an epoch, only if the driver still has it. */
  async move(
    db: Queryable,
    id: string,
    to: Exclude<BulkState, 'RUNNING' | 'PLANNED'>,
    { stopReason, epoch }: { readonly stopReason?: string; readonly epoch?: number } = {},
  ): Promise<boolean> {
    const params = [id, to, guardOf(BULK_TRANSITIONS, to), stopReason ?? null, epoch ?? null];
    return (await db.query(MOVE, params)).length > 0;
  }

  claim(db: Queryable, owner: string, leaseMs: number, limit: number): Promise<DrivenRun[]> {
    return db.query<DrivenRun>(CLAIM, [owner, leaseMs, limit]);
  }

  /** `lost` if the run was stopped or has another driver; `none` if every item has ended. */
  async take(db: Queryable, { id, epoch }: DrivenRun, leaseMs: number): Promise<TakenItem | 'none' | 'lost'> {
    const [row] = await db.query<{ position: number | null; subject: string; orderId: string | null }>(TAKE, [
      id,
      epoch,
      leaseMs,
    ]);
    if (!row) return 'lost';
    return row.position === null ? 'none' : { ...row, position: row.position };
  }

  async finish(
    db: Queryable,
    { id, epoch }: DrivenRun,
    position: number,
    state: 'DONE' | 'REFUSED' | 'FAILED',
    result: string,
  ): Promise<void> {
    await db.query(FINISH, [id, epoch, position, state, result]);
  }

  async purge(db: Queryable, olderThanSeconds: number, limit: number): Promise<number> {
    return (await db.query(PURGE, [olderThanSeconds, limit])).length;
  }
}
