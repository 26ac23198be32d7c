import { z } from 'zod';

export const refundSchema = z.strictObject({
  amount: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  reason: z.string().min(1).max(500),
});
export type RefundBody = z.infer<typeof refundSchema>;
