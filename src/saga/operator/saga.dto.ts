import { z } from 'zod';
import { pageSchema } from '../../platform/http/fields.js';
import { traceIdOf } from '../../platform/tracing/traced-requests.js';
import { traceOf } from '../saga-trace.js';
import { ONE_LINE } from '../../common/text.js';
import type { AuditEntry } from './saga-operator.repository.js';
import { SAGA_DIRECTIONS, type SagaSummary } from './saga-search.repository.js';
import { isStep, type StepEntry } from '../saga-log.js';
import { PHASE_NAMES, SAGA_STATES } from '../saga-state.js';
import type { SagaRow } from '../saga.repository.js';
import { SAGA_VERBS } from './verb-decision.js';

const timeSchema = z.iso.datetime();

export const sagaListSchema = z.strictObject({
  state: z.enum(SAGA_STATES).optional(),
  name: z
    .string()
    .min(1)
    .max(100)
    .regex(ONE_LINE)
    .optional()
    .meta({ description: 'Of its definition, such as `checkout`' }),
  step: z
    .string()
    .min(1)
    .max(100)
    .regex(ONE_LINE)
    .optional()
    .meta({ description: 'The step it is at, such as `process-payment`' }),
  direction: z.enum(SAGA_DIRECTIONS).optional().meta({ description: 'On its way, or on its way back' }),
  code: z.string().min(1).max(100).regex(ONE_LINE).optional().meta({ description: 'What it failed with' }),
  subject: z
    .string()
    .min(1)
    .max(255)
    .regex(ONE_LINE)
    .optional()
    .meta({ description: 'What it is about: the id of an order' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional().meta({ description: '`nextCursor` of the page before' }),
});
export type SagaListQuery = z.infer<typeof sagaListSchema>;

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

export const sagaPageSchema = pageSchema(sagaSummarySchema, 'SagaPage');

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
          callMs: z.int().optional().meta({ description: 'How long the other side took to answer' }),
          by: z.string().optional().meta({ description: 'The instance that drove it from this line on' }),
          error: z.string().optional(),
        })
        .meta({ id: 'SagaLogEntry' }),
    ),
    traceId: z.string().optional().meta({ description: 'Of the trace that it is part of, where tracing was on' }),
    dueAt: timeSchema.meta({ description: 'When another instance takes it over, or its wait ends' }),
    audit: z.array(
      z
        .object({
          verb: z.enum(SAGA_VERBS),
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
  readonly traceId?: string;
  readonly audit: readonly AuditEntry[];
}

/** Without `data`, which contains the payment method and the customer: an operator needs neither. */
export function toSagaView(row: SagaRow, audit: readonly AuditEntry[]): SagaView {
  const { id, name, version, state, subject, position, attempts, failure, epoch } = row;
  const phase = PHASE_NAMES[row.phase];
  // The owner may be followed by previous ones; a suspended saga has no driver.
  const owner = state === 'WAITING' ? null : (row.owner?.split(' ')[0] ?? null);
  const log = row.log.filter(isStep).map(toLogView);
  const trace = traceIdOf(traceOf(row.log));
  const times = { createdAt: row.created_at, updatedAt: row.updated_at, dueAt: row.due_at };
  const known = { id, name, version, state, subject, position, phase, attempts, failure, owner, epoch };
  return { ...known, log, audit, ...trace, ...times };
}

/** Without the name of the saga's span, which means nothing to others. */
function toLogView(entry: StepEntry): SagaLogView {
  const { at, step, phase = 'execute', result, attempt, ms, lockWaitMs, callMs, by, error } = entry;
  const known = { at: new Date(at).toISOString(), step, phase, result: result ?? 'done' };
  return { ...known, attempt, ms, lockWaitMs, callMs, by, error };
}
