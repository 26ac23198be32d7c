import { z } from 'zod';
import { ONE_LINE } from '../../common/text.js';
import type { AuditEntry, SagaSummary } from './saga-operator.repository.js';
import { isStep } from '../saga-log.js';
import { PHASE_NAMES, SAGA_STATES } from '../saga-state.js';
import type { SagaRow } from '../saga.repository.js';

const timeSchema = z.iso.datetime();

export const sagaListSchema = z.strictObject({
  state: z.enum(SAGA_STATES).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional().meta({ description: '`nextCursor` of the page before' }),
});
export type SagaListQuery = z.infer<typeof sagaListSchema>;

export const verbSchema = z
  .strictObject({
    reason: z.string().min(1).max(500).regex(ONE_LINE, 'must not contain control characters').default('not given'),
  })
  .default({ reason: 'not given' })
  .meta({ examples: [{ reason: 'the provider is back' }] });
export type VerbBody = z.infer<typeof verbSchema>;

const NIL = '00000000-0000-0000-0000-000000000000';
export const sagaIdSchema = z
  .string()
  .meta({ format: 'uuid', description: 'The saga’s id' })
  .transform((id) => (z.uuid().safeParse(id).success ? id : NIL));

const sagaSummarySchema = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ examples: ['checkout'] }),
    version: z.int().meta({ examples: [1] }),
    state: z.enum(SAGA_STATES).meta({ examples: ['COMPLETED'] }),
    subject: z.string().meta({ description: 'What it is about: an order' }),
    position: z.int().meta({ description: 'The step it is at, from 0', examples: [3] }),
    phase: z.enum(Object.values(PHASE_NAMES)).meta({ examples: ['end'] }),
    attempts: z.int().meta({ description: 'Failed attempts at the present step', examples: [0] }),
    failure: z.looseObject({ code: z.string(), detail: z.string() }).nullable(),
    owner: z.string().nullable().meta({ description: 'The instance that drives it' }),
    epoch: z.int().meta({ description: 'Grows with every change of owner', examples: [1] }),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'SagaSummary' });

export const sagaPageSchema = z
  .object({ items: z.array(sagaSummarySchema), nextCursor: z.string().nullable() })
  .meta({ id: 'SagaPage' });

export const sagaViewSchema = sagaSummarySchema
  .extend({
    log: z.array(
      z
        .object({
          step: z.string().meta({ examples: ['reserve-inventory'] }),
          phase: z.enum(Object.values(PHASE_NAMES)),
          result: z.enum(['done', 'prepared', 'failed', 'suspended', 'retried', 'in-doubt', 'stuck']),
          at: timeSchema,
          attempt: z.int().optional(),
          ms: z.number().optional(),
          lockWaitMs: z.int().optional(),
          error: z.string().optional(),
        })
        .meta({ id: 'SagaLogEntry' }),
    ),
    dueAt: timeSchema.meta({ description: 'When another instance takes it over, or its wait ends' }),
    audit: z.array(
      z
        .object({
          verb: z.enum(['retry', 'compensate', 'resolve']),
          actor: z.string(),
          reason: z.string(),
          fromState: z.enum(SAGA_STATES),
          toState: z.enum(SAGA_STATES),
          at: timeSchema,
        })
        .meta({ id: 'SagaAuditEntry' }),
    ),
  })
  .meta({ id: 'Saga' });

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

/** Without `data`, which contains the payment method and the customer: an operator needs neither. */
export function toSagaView(row: SagaRow, audit: readonly AuditEntry[]): SagaView {
  const { id, name, version, state, subject, position, attempts, failure, epoch } = row;
  const phase = PHASE_NAMES[row.phase];
  // The owner may be followed by previous ones; a suspended saga has no driver.
  const owner = state === 'WAITING' ? null : (row.owner?.split(' ')[0] ?? null);
  const log = row.log.filter(isStep).map(({ at, step, phase: logged = 'execute', result = 'done', ...detail }) => ({
    at: new Date(at).toISOString(),
    step,
    phase: PHASE_NAMES[logged],
    result,
    ...detail,
  }));
  const times = { createdAt: row.created_at, updatedAt: row.updated_at, dueAt: row.due_at };
  return { id, name, version, state, subject, position, phase, attempts, failure, owner, epoch, log, audit, ...times };
}
