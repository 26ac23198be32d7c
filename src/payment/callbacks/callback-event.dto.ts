import { z } from 'zod';
import { pageSchema } from '../../platform/http/fields.js';

export const webhookEventListSchema = z.strictObject({
  state: z.enum(['RECEIVED', 'PROCESSED', 'DEAD']).optional(),
  provider: z.string().min(1).max(50).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional().meta({ description: '`nextCursor` of the page before' }),
});
export type CallbackEventListQuery = z.infer<typeof webhookEventListSchema>;

const NIL = '00000000-0000-0000-0000-000000000000';
export const webhookEventIdSchema = z
  .string()
  .meta({ format: 'uuid', description: 'Our id of the event, from the list' })
  .transform((id) => (z.uuid().safeParse(id).success ? id : NIL));

export const webhookReceiptSchema = z.object({ received: z.literal(true) }).meta({ id: 'WebhookReceipt' });

const timeSchema = z.iso.datetime();

export const webhookEventSchema = z
  .object({
    id: z.uuid(),
    provider: z.string().meta({ examples: ['sandbox'] }),
    eventId: z.string().meta({ description: 'The provider’s own id: stored once' }),
    type: z.string().meta({ examples: ['charge.captured'] }),
    transactionId: z.string(),
    orderId: z.string().nullable(),
    state: z.enum(['RECEIVED', 'PROCESSED', 'DEAD']).meta({ examples: ['PROCESSED'] }),
    attempts: z.int().meta({ examples: [1] }),
    dueAt: timeSchema,
    error: z.string().nullable(),
    receivedAt: timeSchema,
    processedAt: timeSchema.nullable(),
  })
  .meta({ id: 'WebhookEvent' });

export const webhookEventPageSchema = pageSchema(webhookEventSchema, 'WebhookEventPage');
