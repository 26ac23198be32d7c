import { z } from 'zod';
import type { DeepReadonly } from '../../common/deep-readonly.js';
import { amountSchema, currencySchema, timeSchema } from '../../platform/http/fields.js';

export const comparisonSchema = z
  .object({
    orderId: z.uuid(),
    order: z.object({ state: z.string(), total: amountSchema, currency: currencySchema }),
    payment: z
      .object({
        state: z.string(),
        transactionId: z.string().nullable(),
        amount: amountSchema,
        capturedAmount: amountSchema,
        refundedAmount: amountSchema,
        currency: currencySchema,
      })
      .nullable(),
    provider: z.object({
      name: z.string().meta({ examples: ['sandbox'] }),
      charges: z.array(
        z.object({
          id: z.string(),
          state: z.string(),
          amount: amountSchema,
          capturedAmount: amountSchema,
          refundedAmount: amountSchema,
          currency: z.string(),
          isStray: z.boolean().meta({ description: 'Captured without an order, and paid back on its own' }),
        }),
      ),
    }),
    isOpen: z.boolean().meta({ description: 'A saga is at work: the three may differ for a moment' }),
    problems: z.array(z.string()).meta({ description: 'Where they differ, in words; none if they agree' }),
    comparedAt: timeSchema,
  })
  .meta({ id: 'Comparison' });
export type Comparison = DeepReadonly<z.infer<typeof comparisonSchema>>;

export const differencesSchema = z
  .object({
    items: z.array(comparisonSchema).meta({ description: 'Compared again just now: those that still differ' }),
    foreign: z
      .array(z.object({ transactionId: z.string(), orderId: z.string().nullable(), problem: z.string() }))
      .meta({ description: 'Charges of orders that are not ours' }),
    isTruncated: z.boolean(),
  })
  .meta({ id: 'Differences' });
export type Differences = DeepReadonly<z.infer<typeof differencesSchema>>;
