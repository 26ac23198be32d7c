import { Injectable } from '@nestjs/common';
import { isId } from '../../common/id.js';
import { guardOf, IllegalMoveError } from '../../common/state-machine.js';
import { AuditTrail } from '../../platform/audit-trail/audit-trail.js';
import type { Operator } from '../../platform/audit-trail/operator.js';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../platform/postgres/tx.js';
import { isCompensating, PHASE_NAMES, SAGA_TRANSITIONS, type SagaState } from '../saga-state.js';
import type { SagaFailure } from '../saga.errors.js';
import { fromStored, SAGA_COLUMNS, type SagaRow, type Stored } from '../saga.repository.js';
import type { SagaRun } from '../engine/saga-run.js';
import type { Decision, Verb } from './verb-decision.js';

/** An operator's command, with its actor and reason. */
export interface Command extends Operator {
  readonly verb: Verb;
  /** What a saga that is turned back fails with. */
  readonly failure?: SagaFailure;
}

/** Customers read it: the operator's own words stay in the audit trail. */
const TURNED_BACK: SagaFailure = { code: 'CANCELLED', detail: 'An operator turned it back' };

export interface AuditEntry {
  readonly verb: Verb;
  readonly actor: string;
  readonly reason: string;
  readonly fromState: SagaState;
  readonly toState: SagaState;
  readonly at: Date;
}

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
  constructor(private readonly trail: AuditTrail) {}

  async lock(tx: Tx, id: string): Promise<SagaRow | undefined> {
    const [row] = await tx.query<Stored<SagaRow>>(LOCK, [id]);
    return row && fromStored(row);
  }

  /** With what the rest of the way back has made of the saga, where it was run along. */
  async apply(tx: Tx, saga: SagaRow, command: Command, to: Decision, rest?: SagaRun): Promise<void> {
    const { verb, actor, reason, failure = TURNED_BACK } = command;
    const isTurnedBack = to.to === 'COMPENSATING' && !isCompensating(saga.phase);
    const place = [to.to, PHASE_NAMES[to.phase], to.position];
    const landed = await tx.query(APPLY, [
      ...[saga.id, ...place, JSON.stringify(failure), isTurnedBack, ...restParams(rest)],
      guardOf(SAGA_TRANSITIONS, to.to),
    ]);
    if (landed.length === 0) throw new IllegalMoveError(saga.state, to.to);
    await tx.query(AUDIT, [saga.id, verb, actor, reason, saga.state, to.to]);
    if (command.failure) return; // a command of the domain, which says itself what was done
    const detail = { saga: saga.name, from: saga.state, to: to.to };
    this.trail.append(tx, command, { verb, subjectKind: 'saga', subject: saga.id, orderId: orderOf(saga), detail });
  }

  audit(db: Queryable, sagaId: string): Promise<AuditEntry[]> {
    return db.query<AuditEntry>(AUDIT_OF, [sagaId]);
  }
}

/** Every saga of ours is about an order; the engine alone does not know that. */
function orderOf({ subject }: SagaRow): string | null {
  return isId(subject) ? subject : null;
}

/** Changes, outcome, whether the log lost lines, and its new lines. */
function restParams(rest: SagaRun | undefined): unknown[] {
  if (!rest) return [null, null, false, ''];
  const { addedLog, progress } = rest;
  const lines = addedLog.log.map((line) => `${JSON.stringify(line)}\n`);
  const outcome = progress.outcome === null ? null : JSON.stringify(progress.outcome);
  return [JSON.stringify(progress.changes), outcome, addedLog.isLogCut, lines.join('')];
}
