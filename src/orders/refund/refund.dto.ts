import { z } from 'zod';
import { textSchema } from '../../inventory/line.dto.js';

export const refundSchema = z
  .strictObject({
    amount: z
      .number()
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .meta({ description: 'In minor units; all that is left unless told' })
      .optional(),
    reason: textSchema(500),
  })
  .meta({ id: 'RefundRequest', examples: [{ amount: 500, reason: 'arrived with a scratch' }] });
export type RefundBody = z.infer<typeof refundSchema>;
