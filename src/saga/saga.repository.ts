import { Injectable } from '@nestjs/common';
import { type ColumnTypes, overEveryRow, overRows } from '../platform/postgres/rows.js';
import { literals, statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import type { SagaDefinition } from './saga-definition.js';
import { SagaRun } from './engine/saga-run.js';
import type { LogEntry } from './saga-log.js';
import {
  DRIVEN_STATES,
  OPEN_STATES,
  SAGA_STATES,
  SAGA_TRANSITIONS,
  type SagaPhase,
  type SagaState,
} from './saga-state.js';
import { fromStored, type Stored, toStoredLog, toStoredPhase } from './stored-saga.js';
import { SagaFailure, SagaFencedError } from './saga.errors.js';

export interface SagaRow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly state: SagaState;
  readonly subject: string;
  readonly position: number;
  readonly phase: SagaPhase;
  readonly data: unknown;
  readonly changes: Readonly<Record<string, unknown>> | null;
  readonly log: LogEntry[];
  readonly attempts: number;
  readonly failure: SagaFailure | null;
  readonly outcome: unknown;
  readonly owner: string | null;
  readonly epoch: number;
  readonly due_at: Date;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A saga as its new owner reads it. */
export interface ClaimedSaga extends SagaRow {
  /** The last owner, then earlier ones that wrote nothing, separated by spaces; null if there was none. */
  readonly previous_owner: string | null;
}

export const SAGA_COLUMNS = `id, name, version, state, subject, position, phase, changes, attempts, failure, outcome, owner, epoch, due_at,
  created_at, updated_at, ('[' || replace(rtrim(log_lines, E'\\n'), E'\\n', ',') || ']')::json AS log,
  CASE WHEN changes IS NULL THEN data ELSE (data::jsonb || changes::jsonb)::json END AS data`;

interface StoredProgress extends Pick<
  Stored<SagaRow>,
  'state' | 'position' | 'phase' | 'attempts' | 'failure' | 'outcome' | 'owner'
> {
  readonly log: Stored<SagaRow>['log'];
  readonly dueMs: number;
}

const PROGRESS: ColumnTypes<StoredProgress> = {
  state: 'text',
  position: 'int',
  phase: 'text',
  log: 'jsonl',
  attempts: 'int',
  failure: 'json',
  outcome: 'json',
  owner: 'text',
  dueMs: 'bigint',
};

const INSERT = overRows<StoredProgress & Pick<SagaRow, 'id' | 'name' | 'version' | 'subject' | 'data'>>(
  'sagas.insert',
  { id: 'uuid', name: 'text', version: 'int', subject: 'text', data: 'json', ...PROGRESS },
  (given) => `
   INSERT INTO sagas (id, name, version, subject, state, position, phase, data, log_lines, attempts, failure, outcome, owner, due_at)
   SELECT id, name, version, subject, state, position, phase, data, coalesce(log, ''), attempts, failure, outcome, owner,
     now() + "dueMs" * interval '1 millisecond'
   FROM ${given}`,
);

/** Every move that the table has, as pairs of literals. */
const MOVES = SAGA_STATES.flatMap((from) => SAGA_TRANSITIONS[from].map((to) => `(${literals([from, to])})`)).join(', ');

/**
 * Asserts the epoch: the row of a saga that another instance has claimed stays as it is. The log only grows: stored
 * lines are not sent again.
 */
const SAVE = overEveryRow<StoredProgress & Pick<SagaRow, 'id' | 'epoch' | 'changes'> & { isLogCut: boolean }>(
  'sagas.save',
  { id: 'uuid', epoch: 'int', changes: 'json', isLogCut: 'boolean', ...PROGRESS },
  (given) => `
   UPDATE sagas SET state = given.state, position = given.position, phase = given.phase, changes = given.changes,
     log_lines = CASE WHEN given."isLogCut" THEN '' ELSE log_lines END || coalesce(given.log, ''),
     attempts = given.attempts, failure = given.failure, outcome = given.outcome, owner = given.owner,
     due_at = now() + given."dueMs" * interval '1 millisecond', updated_at = now()
   FROM ${given} WHERE sagas.id = given.id AND sagas.epoch = given.epoch
     AND (sagas.state = given.state OR (sagas.state, given.state) IN (${MOVES}))`,
);

const LOST = statement(
  'sagas.lost',
  `SELECT mine.id FROM unnest($1::uuid[], $2::int[]) AS mine (id, epoch) LEFT JOIN sagas ON sagas.id = mine.id
   WHERE sagas.epoch IS DISTINCT FROM mine.epoch`,
);

export const IS_OPEN = `state IN (${literals(OPEN_STATES)})`;
/** Open sagas are found by the queue, which names all of them and few others; `sagas` has no index for it. */
export const IS_WATCHED = `id IN (SELECT unnest(saga_ids) FROM saga_watch)`;

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
const FIND = statement('sagas.find', `SELECT ${SAGA_COLUMNS} FROM sagas WHERE id = ANY($1::uuid[])`);
const ENDS = statement(
  'sagas.ends',
  `SELECT id, CASE WHEN NOT ${IS_OPEN} THEN updated_at END AS "endedAt" FROM sagas WHERE id = ANY($1::uuid[])`,
);
const BY_SUBJECT = statement('sagas.by-subject', `SELECT ${SAGA_COLUMNS} FROM sagas WHERE subject = $1 ORDER BY id`);

@Injectable()
export class SagaRepository {
  /** Inserts new sagas and saves known ones. SagaFencedError refuses the transaction if any of them has a new owner. */
  persist(tx: Tx, runs: readonly SagaRun[], owner: string, leaseMs: number): void {
    const stored = runs.filter((run) => run.verdict?.kind !== 'abandoned');
    const added = stored.filter((run) => run.isNew);
    const known = stored.filter((run) => !run.isNew);
    if (added.length > 0) {
      const rows = added.map((run) => {
        const { id, subject, data, definition } = run;
        const { name, version } = definition;
        return {
          id,
          name,
          version,
          subject,
          data,
          log: toStoredLog(run.progress.log),
          ...progressOf(run, owner, leaseMs),
        };
      });
      tx.send(INSERT, INSERT.params(rows));
    }
    if (known.length === 0) return;
    const rows = known.map((run) => {
      const { id, epoch, addedLog, progress } = run;
      const log = toStoredLog(addedLog.log);
      return { id, epoch, changes: progress.changes, ...addedLog, log, ...progressOf(run, owner, leaseMs) };
    });
    tx.expect(SAVE, SAVE.params(rows), () => new SagaFencedError());
  }

  /** The sagas that another instance has claimed since. */
  async lost(db: Queryable, runs: readonly SagaRun[]): Promise<Set<string>> {
    return idsOf(await db.query<{ id: string }>(LOST, [runs.map((run) => run.id), runs.map((run) => run.epoch)]));
  }

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

  async find(db: Queryable, ids: readonly string[]): Promise<SagaRow[]> {
    return (await db.query<Stored<SagaRow>>(FIND, [ids])).map(fromStored);
  }

  /** When each saga ended, null for one that is open; a saga that does not exist is left out. */
  async endsOf(db: Queryable, ids: readonly string[]): Promise<Map<string, Date | null>> {
    const rows = await db.query<{ id: string; endedAt: Date | null }>(ENDS, [ids]);
    return new Map(rows.map(({ id, endedAt }) => [id, endedAt]));
  }

  async bySubject(db: Queryable, subject: string): Promise<SagaRow[]> {
    return (await db.query<Stored<SagaRow>>(BY_SUBJECT, [subject])).map(fromStored);
  }
}

function idsOf(rows: readonly { id: string }[]): Set<string> {
  return new Set(rows.map(({ id }) => id));
}

/** A stored saga that this process drives from now on. */
export function runOf(row: SagaRow, definition: SagaDefinition<unknown>): SagaRun {
  const { id, subject, epoch, state, position, phase, data, log, failure, outcome, attempts } = row;
  const progress = { state, position, phase, data, changes: row.changes ?? {}, log, failure, outcome, attempts };
  return new SagaRun(id, definition, subject, epoch, progress, 'recovered');
}

/**
 * An ended or stuck saga has no owner. A suspended one keeps its last: if that instance dies before it has released its
 * locks, the one that is woken takes them over. A suspended saga is due at its deadline, any other when its lease ends.
 */
function progressOf({ progress, verdict }: SagaRun, owner: string, leaseMs: number) {
  const isSuspended = progress.state === 'WAITING';
  const isDriven = progress.state === 'RUNNING' || progress.state === 'COMPENSATING';
  const { state, position, attempts, failure, outcome } = progress;
  return {
    ...{ state, position, attempts, failure, outcome },
    phase: toStoredPhase(progress.phase),
    owner: isDriven || isSuspended ? owner : null,
    dueMs: isSuspended && verdict?.kind === 'suspended' ? verdict.untilMs : leaseMs,
  };
}
