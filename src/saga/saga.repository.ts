import { Injectable } from '@nestjs/common';
import { type ColumnTypes, overEveryRow, overRows } from '../platform/postgres/rows.js';
import { literals, statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import type { SagaDefinition } from './saga-definition.js';
import { SagaRun } from './engine/saga-run.js';
import type { LogEntry } from './saga-log.js';
import { traceOf } from './saga-trace.js';
import {
  OPEN_STATES,
  PHASE_NAMES,
  type PhaseName,
  phaseOf,
  SAGA_STATES,
  SAGA_TRANSITIONS,
  type SagaPhase,
  type SagaState,
} from './saga-state.js';
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

/** A row as the database has it, with the phase names that the previous release knows. */
export type Stored<R extends { readonly phase: SagaPhase }> = Omit<R, 'phase'> & { readonly phase: PhaseName };

export const SAGA_COLUMNS = `id, name, version, state, subject, position, phase, changes, attempts, failure, outcome, owner, epoch, due_at,
  created_at, updated_at, ('[' || replace(rtrim(log_lines, E'\\n'), E'\\n', ',') || ']')::json AS log,
  CASE WHEN changes IS NULL THEN data ELSE (data::jsonb || changes::jsonb)::json END AS data`;

interface StoredProgress extends Pick<
  Stored<SagaRow>,
  'state' | 'position' | 'phase' | 'attempts' | 'failure' | 'outcome' | 'owner'
> {
  readonly log: readonly LogEntry[];
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
        const row = progressOf(run, owner, leaseMs);
        return Object.assign(row, { id, name, version, subject, data, log: run.progress.log });
      });
      tx.send(...INSERT.over(rows));
    }
    if (known.length === 0) return;
    const rows = known.map((run) => {
      const { id, epoch, progress } = run;
      const { log, isLogCut } = run.addedLog;
      return Object.assign(progressOf(run, owner, leaseMs), { id, epoch, changes: progress.changes, log, isLogCut });
    });
    tx.expect(...SAVE.over(rows), () => new SagaFencedError());
  }

  /** The sagas that another instance has claimed since. */
  async lost(db: Queryable, runs: readonly SagaRun[]): Promise<Set<string>> {
    return idsOf(await db.query<{ id: string }>(LOST, [runs.map((run) => run.id), runs.map((run) => run.epoch)]));
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

export function idsOf(rows: readonly { id: string }[]): Set<string> {
  return new Set(rows.map(({ id }) => id));
}

export function fromStored<R extends Stored<SagaRow>>(row: R): Omit<R, 'phase'> & { readonly phase: SagaPhase } {
  return { ...row, phase: phaseOf(row.phase) };
}

/** A stored saga that this process drives from now on. */
export function runOf(row: SagaRow, definition: SagaDefinition<unknown>): SagaRun {
  const { id, subject, epoch, state, position, phase, data, log, failure, outcome, attempts } = row;
  const progress = { state, position, phase, data, changes: row.changes ?? {}, log, failure, outcome, attempts };
  return new SagaRun(id, definition, subject, epoch, progress, 'recovered', undefined, traceOf(log));
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
    state,
    position,
    attempts,
    failure,
    outcome,
    phase: PHASE_NAMES[progress.phase],
    owner: isDriven || isSuspended ? owner : null,
    dueMs: isSuspended && verdict?.kind === 'suspended' ? verdict.untilMs : leaseMs,
  };
}
