import { Injectable } from '@nestjs/common';
import { statement } from '../infrastructure/database/statement.js';
import type { Queryable, Tx } from '../infrastructure/database/tx.js';
import type { SagaDefinition } from './saga-definition.js';
import { LogEntry, SagaRun } from './saga-run.js';
import type { SagaPhase, SagaState } from './saga-state.js';
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

const COLUMNS =
  'id, name, version, state, subject, position, phase, data, log, attempts, failure, outcome, owner, epoch, due_at, created_at, updated_at';

const INSERT = statement(
  'sagas.insert',
  `INSERT INTO sagas (id, name, version, subject, state, position, phase, data, log, attempts, failure, outcome, owner, due_at)
   SELECT id, name, version, subject, state, position, phase, data, log, attempts, failure, outcome, owner, now() + due_ms * interval '1 millisecond'
   FROM unnest($1::uuid[], $2::text[], $3::int[], $4::text[], $5::text[], $6::int[], $7::text[], $8::jsonb[], $9::jsonb[],
               $10::int[], $11::jsonb[], $12::jsonb[], $13::text[], $14::int8[])
     AS saga (id, name, version, subject, state, position, phase, data, log, attempts, failure, outcome, owner, due_ms)`,
);

/** Asserts the epoch: the row of a saga that was claimed by another instance stays as that instance wrote it. */
const SAVE = statement(
  'sagas.save',
  `UPDATE sagas SET state = saga.state, position = saga.position, phase = saga.phase, data = saga.data, log = saga.log,
     attempts = saga.attempts, failure = saga.failure, outcome = saga.outcome, owner = saga.owner,
     due_at = now() + saga.due_ms * interval '1 millisecond', updated_at = now()
   FROM unnest($1::uuid[], $2::int[], $3::text[], $4::int[], $5::text[], $6::jsonb[], $7::jsonb[], $8::int[], $9::jsonb[],
               $10::jsonb[], $11::text[], $12::int8[])
     AS saga (id, epoch, state, position, phase, data, log, attempts, failure, outcome, owner, due_ms)
   WHERE sagas.id = saga.id AND sagas.epoch = saga.epoch
   RETURNING sagas.id`,
);

/** MATERIALIZED: a plan that ran the sub-select more than once would lock, and claim, more than the limit. */
const CLAIM = statement(
  'sagas.claim',
  `WITH due AS MATERIALIZED (
     SELECT id AS due_id FROM sagas
     WHERE state IN ('RUNNING', 'WAITING', 'COMPENSATING', 'STUCK') AND state <> 'STUCK' AND due_at < now()
       AND name || '@' || version = ANY($3::text[])
     ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED)
   UPDATE sagas SET owner = $1, epoch = epoch + 1, due_at = now() + $2 * interval '1 millisecond', updated_at = now(),
     state = CASE state WHEN 'WAITING' THEN 'RUNNING' ELSE state END
   FROM due WHERE id = due_id
   RETURNING ${COLUMNS}`,
);

/** SKIP LOCKED: a row that is being saved is renewed by that save, and waiting for it could deadlock with a batch. */
const RENEW = statement(
  'sagas.renew',
  `UPDATE sagas SET due_at = now() + $3 * interval '1 millisecond'
   WHERE id IN (
     SELECT sagas.id FROM sagas JOIN unnest($1::uuid[], $2::int[]) AS mine (id, epoch) ON sagas.id = mine.id AND sagas.epoch = mine.epoch
     WHERE state IN ('RUNNING', 'COMPENSATING') FOR UPDATE OF sagas SKIP LOCKED)
   RETURNING id`,
);

/** The next epoch: what we still have under way lands nowhere, so that the next owner finds what we left. */
const HAND_OVER = statement(
  'sagas.hand-over',
  `UPDATE sagas SET due_at = now(), owner = NULL, epoch = sagas.epoch + 1
   FROM unnest($1::uuid[], $2::int[]) AS mine (id, epoch)
   WHERE sagas.id = mine.id AND sagas.epoch = mine.epoch AND state IN ('RUNNING', 'COMPENSATING')`,
);

const WAKE = statement(
  'sagas.wake',
  `UPDATE sagas SET due_at = now() WHERE id = $1 AND state = 'WAITING' RETURNING id`,
);
const FIND = statement('sagas.find', `SELECT ${COLUMNS} FROM sagas WHERE id = ANY($1::uuid[])`);
const BY_SUBJECT = statement('sagas.by-subject', `SELECT ${COLUMNS} FROM sagas WHERE subject = $1 ORDER BY id`);

@Injectable()
export class SagaRepository {
  /** Inserts new sagas and saves known ones; throws SagaFencedError if any of them has a new owner. */
  async persist(tx: Tx, runs: readonly SagaRun[], owner: string, leaseMs: number): Promise<void> {
    const stored = runs.filter((run) => run.verdict?.kind !== 'abandoned');
    const added = stored.filter((run) => run.isNew);
    const known = stored.filter((run) => !run.isNew);
    if (added.length > 0) tx.send(INSERT, insertParams(added, owner, leaseMs));
    if (known.length === 0) return;
    const rows = await tx.query<{ id: string }>(SAVE, saveParams(known, owner, leaseMs));
    if (rows.length === known.length) return;
    const saved = new Set(rows.map((row) => row.id));
    throw new SagaFencedError(known.filter((run) => !saved.has(run.id)).map((run) => run.id));
  }

  claim(
    db: Queryable,
    owner: string,
    leaseMs: number,
    definitions: readonly string[],
    limit: number,
  ): Promise<SagaRow[]> {
    return db.query<SagaRow>(CLAIM, [owner, leaseMs, definitions, limit]);
  }

  async renew(db: Queryable, runs: readonly SagaRun[], leaseMs: number): Promise<Set<string>> {
    const rows = await db.query<{ id: string }>(RENEW, [
      runs.map((run) => run.id),
      runs.map((run) => run.epoch),
      leaseMs,
    ]);
    return new Set(rows.map((row) => row.id));
  }

  async handOver(db: Queryable, runs: readonly SagaRun[]): Promise<void> {
    await db.query(HAND_OVER, [runs.map((run) => run.id), runs.map((run) => run.epoch)]);
  }

  async wake(db: Queryable, sagaId: string): Promise<boolean> {
    return (await db.query(WAKE, [sagaId])).length > 0;
  }

  find(db: Queryable, ids: readonly string[]): Promise<SagaRow[]> {
    return db.query<SagaRow>(FIND, [ids]);
  }

  bySubject(db: Queryable, subject: string): Promise<SagaRow[]> {
    return db.query<SagaRow>(BY_SUBJECT, [subject]);
  }
}

/** A stored saga, in the hands of this process from here on. */
export function runOf(row: SagaRow, definition: SagaDefinition<unknown>): SagaRun {
  const { id, subject, epoch, state, position, phase, data, log, failure, outcome, attempts } = row;
  const progress = { state, position, phase, data, log, failure, outcome, attempts };
  return new SagaRun(id, definition, subject, epoch, progress, 'recovered');
}

/** A saga at rest has no owner; a suspended one is due at its deadline, everything else when the lease ends. */
function progressColumns(runs: readonly SagaRun[], owner: string, leaseMs: number) {
  const json = (value: unknown) => (value == null ? null : JSON.stringify(value));
  return {
    states: runs.map((run) => run.state),
    positions: runs.map((run) => run.progress.position),
    phases: runs.map((run) => run.progress.phase),
    data: runs.map((run) => JSON.stringify(run.data)),
    logs: runs.map((run) => JSON.stringify(run.progress.log)),
    attempts: runs.map((run) => run.progress.attempts),
    failures: runs.map((run) => json(run.failure)),
    outcomes: runs.map((run) => json(run.progress.outcome)),
    owners: runs.map((run) => (run.state === 'RUNNING' || run.state === 'COMPENSATING' ? owner : null)),
    dueMs: runs.map((run) =>
      run.state === 'WAITING' && run.verdict?.kind === 'suspended' ? run.verdict.untilMs : leaseMs,
    ),
  };
}

function insertParams(runs: readonly SagaRun[], owner: string, leaseMs: number): unknown[] {
  const columns = progressColumns(runs, owner, leaseMs);
  return [
    runs.map((run) => run.id),
    runs.map((run) => run.definition.name),
    runs.map((run) => run.definition.version),
    runs.map((run) => run.subject),
    ...Object.values(columns),
  ];
}

function saveParams(runs: readonly SagaRun[], owner: string, leaseMs: number): unknown[] {
  return [
    runs.map((run) => run.id),
    runs.map((run) => run.epoch),
    ...Object.values(progressColumns(runs, owner, leaseMs)),
  ];
}
