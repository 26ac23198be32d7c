import { Injectable } from '@nestjs/common';
import { literals, statement } from '../platform/postgres/statement.js';
import type { Queryable } from '../platform/postgres/tx.js';
import type { SagaRun } from './engine/saga-run.js';
import { DRIVEN_STATES } from './saga-state.js';
import { fromStored, idsOf, IS_OPEN, SAGA_COLUMNS, type SagaRow, type Stored } from './saga.repository.js';

/** A saga as its new owner reads it. */
export interface ClaimedSaga extends SagaRow {
  /** The last owner, then earlier ones that wrote nothing, separated by spaces; null if there was none. */
  readonly previous_owner: string | null;
}

/** How many owners in a row may be lost without a write before the saga itself is suspected. */
export const MAX_OWNERS = 8;
const NAME_LENGTH = 12;
const OWNERS_LENGTH = MAX_OWNERS * (NAME_LENGTH + 1);

/** How many rows of the queue one claim reads; most of them name sagas that have ended. */
const WATCH_BATCH = 2_000;

/**
 * Removes due rows from the queue, claims sagas, and puts every open saga back: claimed ones until their lease ends,
 * those that wait for a person for an hour, and in one row those that others may claim: sagas beyond the limit, locked
 * ones, and versions that this release does not know. MATERIALIZED, because a plan that ran a part more than once would
 * lock and claim more than the limit. Previous owners stay named until the first save: if we die before we took over
 * their locks, the next owner has to.
 */
const CLAIM = statement(
  'sagas.claim',
  `WITH seen AS MATERIALIZED (
     DELETE FROM saga_watch WHERE id IN (
       SELECT id FROM saga_watch WHERE due_at < now() ORDER BY due_at LIMIT ${WATCH_BATCH} FOR UPDATE SKIP LOCKED)
     RETURNING saga_ids),
   still AS MATERIALIZED (
     SELECT id AS still_id, due_at AS still_due_at, state <> 'STUCK' AND due_at < now() AS is_due,
       name || '@' || version = ANY($3::text[]) AS is_known, state = 'STUCK' AS is_stuck
     FROM sagas WHERE id IN (SELECT unnest(saga_ids) FROM seen) AND ${IS_OPEN}),
   due AS MATERIALIZED (
     SELECT id AS due_id, owner AS previous_owner FROM sagas
     WHERE id IN (SELECT still_id FROM still WHERE is_due AND is_known) AND ${IS_OPEN} AND state <> 'STUCK' AND due_at < now()
     ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED),
   watched AS (
     INSERT INTO saga_watch (due_at, saga_ids)
     SELECT again_at, array_agg(still_id) FROM (
       SELECT still_id, CASE
           WHEN due_id IS NOT NULL THEN now() + $2 * interval '1 millisecond'
           WHEN is_stuck THEN now() + interval '1 hour'
           WHEN NOT is_due THEN still_due_at
           ELSE now() END AS again_at
       FROM still LEFT JOIN due ON due_id = still_id) AS kept
     GROUP BY again_at)
   UPDATE sagas SET owner = rtrim(left(concat_ws(' ', $1::text, owner), ${OWNERS_LENGTH})), epoch = epoch + 1, due_at = now() + $2 * interval '1 millisecond', updated_at = now(),
     state = CASE state WHEN 'WAITING' THEN 'RUNNING' ELSE state END
   FROM due WHERE id = due_id
   RETURNING ${SAGA_COLUMNS}, previous_owner`,
);

/** SKIP LOCKED: a row that is being saved is renewed by that save, and waiting for it could deadlock with a batch. */
const RENEW = statement(
  'sagas.renew',
  `UPDATE sagas SET due_at = now() + $3 * interval '1 millisecond'
   WHERE id IN (
     SELECT sagas.id FROM sagas JOIN unnest($1::uuid[], $2::int[]) AS mine (id, epoch) ON sagas.id = mine.id AND sagas.epoch = mine.epoch
     WHERE state IN (${literals(DRIVEN_STATES)}) FOR UPDATE OF sagas SKIP LOCKED)
   RETURNING id`,
);

/**
 * Raises the epoch: our writes that are still under way fail, so that the next owner finds a stable state. We stay
 * named as the owner until then, because the next owner takes over our locks.
 */
const HAND_OVER = statement(
  'sagas.hand-over',
  `UPDATE sagas SET due_at = now(), epoch = sagas.epoch + 1
   FROM unnest($1::uuid[], $2::int[]) AS mine (id, epoch)
   WHERE sagas.id = mine.id AND sagas.epoch = mine.epoch AND state IN (${literals(DRIVEN_STATES)})`,
);

const WAKE = statement(
  'sagas.wake',
  `UPDATE sagas SET due_at = now() WHERE id = $1 AND state = 'WAITING' RETURNING id`,
);

/** Who drives a saga: a lease in its row, with an epoch that grows with every owner. */
@Injectable()
export class SagaClaimRepository {
  async claim(
    db: Queryable,
    owner: string,
    leaseMs: number,
    definitions: readonly string[],
    limit: number,
  ): Promise<ClaimedSaga[]> {
    const rows = await db.query<Stored<ClaimedSaga>>(CLAIM, [owner, leaseMs, definitions, limit]);
    return rows.map(fromStored);
  }

  async renew(db: Queryable, runs: readonly SagaRun[], leaseMs: number): Promise<Set<string>> {
    const rows = await db.query<{ id: string }>(RENEW, [
      runs.map((run) => run.id),
      runs.map((run) => run.epoch),
      leaseMs,
    ]);
    return idsOf(rows);
  }

  async handOver(db: Queryable, runs: readonly SagaRun[]): Promise<void> {
    await db.query(HAND_OVER, [runs.map((run) => run.id), runs.map((run) => run.epoch)]);
  }

  async wake(db: Queryable, sagaId: string): Promise<boolean> {
    return (await db.query(WAKE, [sagaId])).length > 0;
  }
}
