import { z } from 'zod';
import { pageSchema } from '../../platform/http/fields.js';
import { DEAD_LETTER_STATES } from './dead-letter.entity.js';
import type { DeadLetterRow } from './dead-letter.repository.js';

export const deadLetterListSchema = z.strictObject({
  state: z.enum(DEAD_LETTER_STATES).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional().meta({ description: '`nextCursor` of the page before' }),
});
export type DeadLetterListQuery = z.infer<typeof deadLetterListSchema>;

const NIL = '00000000-0000-0000-0000-000000000000';
/** An id that cannot exist names nothing: 404 rather than 400. */
export const deadLetterIdSchema = z
  .string()
  .meta({ format: 'uuid' })
  .transform((id) => (z.uuid().safeParse(id).success ? id : NIL));

const timeSchema = z.iso.datetime();

export const deadLetterViewSchema = z
  .object({
    id: z.uuid(),
    messageId: z.string().nullable().meta({ description: 'The sender’s id, which is its Idempotency-Key' }),
    body: z
      .string()
      .nullable()
      .meta({ description: 'As it was sent; null if it held a card number or the code of a gift card' }),
    code: z.string().meta({ description: 'As the problem over HTTP', examples: ['VALIDATION_FAILED'] }),
    reason: z.string().meta({ examples: ['currency: must be an ISO 4217 code'] }),
    deliveries: z.int().meta({ examples: [1] }),
    state: z.enum(DEAD_LETTER_STATES).meta({ examples: ['OPEN'] }),
    orderId: z.uuid().nullable().meta({ description: 'What came of a retry' }),
    resolvedBy: z.string().nullable().meta({ description: 'The client that retried or discarded it' }),
    resolvedAt: timeSchema.nullable(),
    createdAt: timeSchema,
  })
  .meta({ id: 'DeadLetter' });
export type DeadLetterView = z.infer<typeof deadLetterViewSchema>;

export const deadLetterPageSchema = pageSchema(deadLetterViewSchema, 'DeadLetterPage');
export type DeadLetterPage = z.infer<typeof deadLetterPageSchema>;

export function toView(row: DeadLetterRow): DeadLetterView {
  const { id, messageId, body, code, reason, deliveries, state, orderId, resolvedBy, resolvedAt, createdAt } = row;
  return {
    id,
    messageId,
    body,
    code,
    reason,
    deliveries,
    state,
    orderId,
    resolvedBy,
    resolvedAt: resolvedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
