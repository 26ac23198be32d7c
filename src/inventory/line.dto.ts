import { z } from 'zod';
import { amountSchema, skuIdSchema } from '../platform/http/fields.js';

const MAX_LINES = 100;
const MAX_QUANTITY = 10_000;
export const MAX_STOCK = 1_000_000_000;

const lineSchema = z
  .strictObject({
    sku: skuIdSchema,
    quantity: z
      .int()
      .min(1)
      .max(MAX_QUANTITY)
      .meta({ examples: [1] }),
  })
  .meta({ id: 'LineRequest', description: 'What is wanted. Lines of one SKU are merged.' });

export const pricedLineSchema = z
  .object({
    sku: z.string().meta({ examples: ['demo-mug'] }),
    name: z.string().meta({ examples: ['Mug'] }),
    quantity: z
      .int()
      .min(1)
      .meta({ examples: [1] }),
    unitAmount: amountSchema,
    amount: amountSchema,
  })
  .meta({ id: 'Line', description: 'A line with its price, frozen when it was reserved or ordered' });

export const linesSchema = z.array(lineSchema).min(1).max(MAX_LINES);
