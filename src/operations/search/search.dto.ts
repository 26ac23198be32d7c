import { z } from 'zod';
import type { DeepReadonly } from '../../common/deep-readonly.js';
import { ONE_LINE } from '../../common/text.js';
import { timeSchema } from '../../platform/http/fields.js';

export const searchQuerySchema = z.strictObject({
  q: z
    .string()
    .trim()
    .min(1)
    .max(320)
    .regex(ONE_LINE)
    .meta({ description: 'An id, an e-mail, a provider’s transaction, an Idempotency-Key, a SKU or a customer' }),
});
export type SearchQuery = z.infer<typeof searchQuerySchema>;

export const searchHitsSchema = z
  .object({
    items: z.array(
      z
        .object({
          kind: z.enum(['order', 'saga', 'sku']),
          id: z.string(),
          title: z.string().meta({ examples: ['2 × demo-mug, 25.00 EUR'] }),
          state: z.string().nullable(),
          matchedBy: z.string().meta({ examples: ['Idempotency-Key'] }),
          at: timeSchema.nullable(),
        })
        .meta({ id: 'SearchHit' }),
    ),
    notes: z.array(z.string()).meta({ description: 'What could not be looked up, in words' }),
  })
  .meta({ id: 'SearchHits' });
export type SearchHits = DeepReadonly<z.infer<typeof searchHitsSchema>>;
export type SearchHit = SearchHits['items'][number];
