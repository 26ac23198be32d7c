import { z } from 'zod';
import { textSchema } from '../inventory/line.dto.js';

export const refundSchema = z.strictObject({
  amount: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  reason: textSchema(500),
});
export type RefundBody = z.infer<typeof refundSchema>;
