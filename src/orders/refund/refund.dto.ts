import { z } from 'zod';
import { textSchema } from '../../platform/http/fields.js';

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
    to: z
      .literal('credit')
      .meta({
        description:
          'At once to the customer’s account, in place of the card: the first that the customer has in this currency, or the one that paid a part of the order',
      })
      .optional(),
  })
  .meta({ id: 'RefundRequest', examples: [{ amount: 500, reason: 'arrived with a scratch' }] });
export type RefundBody = z.infer<typeof refundSchema>;
