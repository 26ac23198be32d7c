import { Injectable } from '@nestjs/common';
import { newId } from '../../common/id.js';
import { typesOf } from '../postgres/entity-columns.js';
import { overRows } from '../postgres/rows.js';
import { statement } from '../postgres/statement.js';
import type { Queryable, Tx } from '../postgres/tx.js';
import { OperatorAction } from './operator-action.entity.js';
import type { Operator } from './operator.js';

const NEW = ['id', 'verb', 'subjectKind', 'subject', 'orderId', 'actor', 'reason', 'detail', 'runId'] as const;
type Row = Pick<OperatorAction, (typeof NEW)[number]>;

export type Action = Pick<Row, 'verb' | 'subjectKind' | 'subject'> & Partial<Pick<Row, 'orderId' | 'detail'>>;

const APPEND = overRows<Row>(
  'audit-trail.append',
  typesOf(OperatorAction, NEW),
  (given) => `INSERT INTO operator_actions (id, verb, subject_kind, subject, order_id, actor, reason, detail, run_id)
   SELECT id, verb, "subjectKind", subject, "orderId", actor, reason, detail, "runId" FROM ${given}`,
);
const HAS_ACTED = statement(
  'audit-trail.has-acted',
  `SELECT 1 AS one FROM operator_actions WHERE run_id = $1 AND subject = $2`,
);

/**
 * Every operator's action, in the transaction of its effect: what was refused leaves nothing, what was done is never
 * missing. An index refuses the second action of a bulk run on the same subject, and with it the second effect.
 */
@Injectable()
export class AuditTrail {
  append(tx: Tx, { actor, reason, runId }: Operator, { orderId = null, detail = {}, ...action }: Action): void {
    tx.gather(APPEND, [{ id: newId(), ...action, orderId, detail, actor, reason, runId: runId ?? null }]);
  }

  async hasActed(db: Queryable, runId: string, subject: string): Promise<boolean> {
    return (await db.query(HAS_ACTED, [runId, subject])).length > 0;
  }
}
