import { z } from 'zod';
import type { DeepReadonly } from '../../common/deep-readonly.js';
import { ONE_LINE } from '../../common/text.js';
import { pageSchema, skuIdSchema, textSchema, timeSchema } from '../../platform/http/fields.js';
import { SAGA_DIRECTIONS } from '../../saga/operator/saga-search.repository.js';
import { effectSchema } from '../preview/preview.dto.js';
import { BULK_ACTIONS, misfitOf } from './bulk-action.js';
import { BULK_STATES, ITEM_STATES } from './bulk-run.entity.js';

const MIN_PER_SECOND = 0.2;
const MAX_PER_SECOND = 50;

const nameSchema = z.string().min(1).max(255).regex(ONE_LINE);

const bulkFilterSchema = z
  .strictObject({
    name: nameSchema.optional().meta({ description: 'Sagas: of this definition' }),
    step: nameSchema.optional().meta({ description: 'Sagas: at this step' }),
    direction: z.enum(SAGA_DIRECTIONS).optional().meta({ description: 'Sagas: on their way, or on their way back' }),
    code: nameSchema.optional().meta({ description: 'Sagas, dead letters: failed with this code' }),
    state: z.enum(['STUCK', 'WAITING']).optional().meta({ description: 'Sagas to compensate; STUCK unless given' }),
    type: nameSchema.optional().meta({ description: 'Callbacks: of this type' }),
    endpointId: z.uuid().optional().meta({ description: 'Deliveries: to this endpoint' }),
    sku: skuIdSchema.optional().meta({ description: 'Orders: with a line of it' }),
    email: z.email().max(320).optional().meta({ description: 'Orders: of this e-mail' }),
    customerId: nameSchema.optional().meta({ description: 'Orders: of this customer' }),
    createdFrom: z.iso.datetime({ offset: true }).optional().meta({ description: 'Orders: created then or later' }),
    createdTo: z.iso.datetime({ offset: true }).optional().meta({ description: 'Orders: created before then' }),
  })
  .meta({ id: 'BulkFilter' });
export type BulkFilter = z.infer<typeof bulkFilterSchema>;

export const bulkPlanSchema = z
  .strictObject({
    action: z.enum(BULK_ACTIONS),
    filter: bulkFilterSchema.default({}),
    reason: textSchema(500),
    perSecond: z.number().min(MIN_PER_SECOND).max(MAX_PER_SECOND).default(5).meta({ description: 'The rate' }),
  })
  .superRefine(({ action, filter }, context) => {
    const misfit = misfitOf(action, Object.keys(filter));
    if (misfit !== undefined) context.addIssue({ code: 'custom', path: ['filter'], message: misfit });
  })
  .meta({
    id: 'BulkRunRequest',
    examples: [
      {
        action: 'retry-sagas',
        filter: { name: 'cancel-order', step: 'return-payment' },
        reason: 'the provider is back',
        perSecond: 5,
      },
    ],
  });
export type BulkPlan = z.infer<typeof bulkPlanSchema>;

const bulkPreviewSchema = z
  .object({
    summary: z.string().meta({
      description: 'What it will do to all of them, in words',
      examples: ['refunds 199.90 EUR, puts 10 × demo-mug back into stock, cancels 10 orders'],
    }),
    effects: z.array(effectSchema),
    sample: z
      .array(z.object({ subject: z.string(), orderId: z.string().nullable(), summary: z.string() }))
      .meta({ description: 'The first of them' }),
  })
  .meta({ id: 'BulkPreview' });
export type BulkPreview = DeepReadonly<z.infer<typeof bulkPreviewSchema>>;

export const bulkRunSchema = z
  .object({
    id: z.uuid(),
    action: z.enum(BULK_ACTIONS),
    filter: bulkFilterSchema,
    state: z.enum(BULK_STATES),
    perSecond: z.number(),
    actor: z.string(),
    reason: z.string(),
    preview: bulkPreviewSchema,
    total: z.int().meta({ description: 'How many it touches: the list is fixed when it is planned' }),
    isTruncated: z.boolean().meta({ description: 'There are more: plan another run behind this one' }),
    done: z.int(),
    refused: z.int().meta({ description: 'Had moved on, or could not be done' }),
    failed: z.int().meta({ description: 'Ran into an error, several times' }),
    stopReason: z.string().nullable().meta({ description: 'Why it stopped by itself' }),
    owner: z.string().nullable().meta({ description: 'The instance that drives it' }),
    epoch: z.int().meta({ description: 'Grows with every change of driver' }),
    leaseUntil: timeSchema.nullable().meta({ description: 'When another instance takes it over, unless renewed' }),
    startedAt: timeSchema.nullable(),
    endedAt: timeSchema.nullable(),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'BulkRun' });

export const bulkListSchema = z.strictObject({
  state: z.enum(BULK_STATES).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional().meta({ description: '`nextCursor` of the page before' }),
});
export type BulkListQuery = z.infer<typeof bulkListSchema>;

export const bulkPageSchema = pageSchema(bulkRunSchema, 'BulkRunPage');

const bulkItemSchema = z
  .object({
    runId: z.uuid(),
    position: z.int(),
    subject: z.string(),
    orderId: z.string().nullable(),
    state: z.enum(ITEM_STATES),
    result: z.string().nullable().meta({ description: 'What came of it, in words' }),
    at: timeSchema.nullable(),
  })
  .meta({ id: 'BulkItem' });
export const itemListSchema = z.strictObject({
  state: z.enum(ITEM_STATES).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  cursor: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .meta({ description: '`nextCursor` of the page before' }),
});
export type ItemListQuery = z.infer<typeof itemListSchema>;

export const itemPageSchema = z
  .object({ items: z.array(bulkItemSchema), nextCursor: z.int().nullable() })
  .meta({ id: 'BulkItemPage' });

const NIL = '00000000-0000-0000-0000-000000000000';
export const bulkIdSchema = z
  .string()
  .meta({ format: 'uuid', description: 'The run’s id' })
  .transform((id) => (z.uuid().safeParse(id).success ? id : NIL));
