import { z } from 'zod';
import { ONE_LINE } from '../common/text.js';
import type { AuditEntry, SagaSummary } from './saga-operator.repository.js';
import type { SagaRow } from './saga.repository.js';

const STATES = ['RUNNING', 'WAITING', 'COMPENSATING', 'COMPLETED', 'COMPENSATED', 'STUCK', 'RESOLVED'] as const;

export const sagaListSchema = z.strictObject({
  state: z.enum(STATES).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional(),
});
export type SagaListQuery = z.infer<typeof sagaListSchema>;

export const verbSchema = z
  .strictObject({
    reason: z.string().min(1).max(500).regex(ONE_LINE, 'must not contain control characters').default('not given'),
  })
  .default({ reason: 'not given' });
export type VerbBody = z.infer<typeof verbSchema>;

const NIL = '00000000-0000-0000-0000-000000000000';
export const sagaIdSchema = z.string().transform((id) => (z.uuid().safeParse(id).success ? id : NIL));

export interface SagaLogView {
  readonly at: string;
  readonly step: string;
  readonly phase: string;
  readonly result: string;
  readonly [detail: string]: unknown;
}

export interface SagaView extends SagaSummary {
  readonly log: readonly SagaLogView[];
  readonly dueAt: Date;
  readonly audit: readonly AuditEntry[];
}

/** Without `data`: it carries the payment method and the customer, and an operator needs neither. */
export function toSagaView(row: SagaRow, audit: readonly AuditEntry[]): SagaView {
  const { id, name, version, state, subject, position, phase, attempts, failure, owner, epoch } = row;
  const log = row.log.map(({ at, step, phase: logged = 'execute', result = 'done', ...detail }) => ({
    at: new Date(at).toISOString(),
    step,
    phase: logged,
    result,
    ...detail,
  }));
  const times = { createdAt: row.created_at, updatedAt: row.updated_at, dueAt: row.due_at };
  return { id, name, version, state, subject, position, phase, attempts, failure, owner, epoch, log, audit, ...times };
}
