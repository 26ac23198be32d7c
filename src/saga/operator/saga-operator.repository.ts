import { Injectable } from '@nestjs/common';
import { guardOf, IllegalMoveError, isTerminal } from '../../common/state-machine.js';
import { FROM_NEWEST, Statement, statement } from '../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../platform/postgres/tx.js';
import {
  isCompensating,
  type PhaseName,
  SAGA_STATES,
  SAGA_TRANSITIONS,
  type SagaPhase,
  type SagaState,
} from '../saga-state.js';
import type { SagaFailure } from '../saga.errors.js';
import { IS_WATCHED, SAGA_COLUMNS, type SagaRow } from '../saga.repository.js';
import { fromStored, type Stored, toStoredLog, toStoredPhase } from '../stored-saga.js';
import type { SagaRun } from '../engine/saga-run.js';

export type Verb = 'retry' | 'compensate' | 'resolve';

/** An operator's command, with its actor and reason. */
export interface Command {
  readonly verb: Verb;
  readonly actor: string;
  readonly reason: string;
  /** What a saga that is turned back fails with. */
  readonly failure?: SagaFailure;
}

/** Customers read it: the operator's own words stay in the audit trail. */
const TURNED_BACK: SagaFailure = { code: 'CANCELLED', detail: 'An operator turned it back' };

/** Where a saga goes on after a command. */
export interface Decision {
  readonly to: SagaState;
  readonly phase: SagaPhase;
  readonly position: number;
}

export interface SagaSummary {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly state: SagaState;
  readonly subject: string;
  readonly position: number;
  readonly phase: PhaseName;
  readonly attempts: number;
  readonly failure: unknown;
  readonly owner: string | null;
  readonly epoch: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface AuditEntry {
  readonly verb: Verb;
  readonly actor: string;
  readonly reason: string;
  readonly fromState: SagaState;
  readonly toState: SagaState;
  readonly at: Date;
}

const SUMMARIES = `SELECT id, name, version, state, subject, position, phase, attempts, failure, epoch,
   CASE WHEN state <> 'WAITING' THEN split_part(owner, ' ', 1) END AS owner, created_at AS "createdAt", updated_at AS "updatedAt"
   FROM sagas`;
const PAGE = `id < coalesce($1, ${FROM_NEWEST}) ORDER BY id DESC LIMIT $2`;
const LIST = statement('sagas.list', `${SUMMARIES} WHERE ${PAGE}`);
/** The state is part of the text, because open sagas are found by their queue. */
const LIST_IN = Object.fromEntries(
  SAGA_STATES.map((state) => {
    const open = isTerminal(SAGA_TRANSITIONS, state) ? '' : `${IS_WATCHED} AND `;
    return [state, statement(`sagas.list-${state}`, `${SUMMARIES} WHERE ${open}state = '${state}' AND ${PAGE}`)];
  }),
) as Record<SagaState, Statement>;
const LOCK = statement('sagas.lock', `SELECT ${SAGA_COLUMNS} FROM sagas WHERE id = $1 FOR UPDATE`);
/**
 * Raises the epoch, so that the present owner can write nothing more. The saga is due at once for any instance, without
 * an heir: its owner may be alive in the middle of a charge, and the compensation must wait for that under the charge's
 * lock. A saga that an operator turns back gets that as its failure, whatever it was stuck with; one that was already
 * compensating keeps its own.
 */
const APPLY = statement(
  'sagas.apply',
  `UPDATE sagas SET state = $2, phase = $3, position = $4, attempts = 0, epoch = epoch + 1, owner = NULL, due_at = now(), updated_at = now(),
     failure = CASE WHEN $6 THEN $5::json ELSE failure END, changes = coalesce($7::json, changes), outcome = coalesce($8::json, outcome),
     log_lines = CASE WHEN $9 THEN '' ELSE log_lines END || $10
   WHERE id = $1 AND state = ANY($11::text[]) RETURNING id`,
);
const AUDIT = statement(
  'sagas.audit',
  `INSERT INTO saga_audit (saga_id, verb, actor, reason, from_state, to_state) VALUES ($1, $2, $3, $4, $5, $6)`,
);
const AUDIT_OF = statement(
  'sagas.audit-of',
  `SELECT verb, actor, reason, from_state AS "fromState", to_state AS "toState", created_at AS at FROM saga_audit WHERE saga_id = $1 ORDER BY id`,
);

@Injectable()
export class SagaOperatorRepository {
  list(
    db: Queryable,
    { state, before, limit }: { state?: SagaState | undefined; before?: string | undefined; limit: number },
  ): Promise<SagaSummary[]> {
    return db.query<SagaSummary>(state ? LIST_IN[state] : LIST, [before ?? null, limit]);
  }

  async lock(tx: Tx, id: string): Promise<SagaRow | undefined> {
    const [row] = await tx.query<Stored<SagaRow>>(LOCK, [id]);
    return row && fromStored(row);
  }

  /** With what the rest of the way back has made of the saga, where it was run along. */
  async apply(tx: Tx, saga: SagaRow, command: Command, to: Decision, rest?: SagaRun): Promise<void> {
    const { verb, actor, reason, failure = TURNED_BACK } = command;
    const isTurnedBack = to.to === 'COMPENSATING' && !isCompensating(saga.phase);
    const place = [to.to, toStoredPhase(to.phase), to.position];
    const landed = await tx.query(APPLY, [
      ...[saga.id, ...place, JSON.stringify(failure), isTurnedBack, ...restParams(rest)],
      guardOf(SAGA_TRANSITIONS, to.to),
    ]);
    if (landed.length === 0) throw new IllegalMoveError(saga.state, to.to);
    await tx.query(AUDIT, [saga.id, verb, actor, reason, saga.state, to.to]);
  }

  audit(db: Queryable, sagaId: string): Promise<AuditEntry[]> {
    return db.query<AuditEntry>(AUDIT_OF, [sagaId]);
  }
}

/** Changes, outcome, whether the log lost lines, and its new lines. */
function restParams(rest: SagaRun | undefined): unknown[] {
  if (!rest) return [null, null, false, ''];
  const { addedLog, progress } = rest;
  const lines = toStoredLog(addedLog.log).map((line) => `${JSON.stringify(line)}\n`);
  const outcome = progress.outcome === null ? null : JSON.stringify(progress.outcome);
  return [JSON.stringify(progress.changes), outcome, addedLog.isLogCut, lines.join('')];
}
