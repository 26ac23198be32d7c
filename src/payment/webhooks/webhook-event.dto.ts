import { z } from 'zod';

export const webhookEventListSchema = z.strictObject({
  state: z.enum(['RECEIVED', 'PROCESSED', 'DEAD']).optional(),
  provider: z.string().min(1).max(50).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional(),
});
export type WebhookEventListQuery = z.infer<typeof webhookEventListSchema>;

const NIL = '00000000-0000-0000-0000-000000000000';
export const webhookEventIdSchema = z.string().transform((id) => (z.uuid().safeParse(id).success ? id : NIL));
