import { z } from 'zod';
import { linesSchema, pricedLineSchema } from '../line.dto.js';
import { totalsOf } from '../../common/totals.js';
import { amountSchema, currencySchema, totalsSchema } from '../../platform/http/fields.js';
import { couponsSchema } from '../../promotion/coupon.dto.js';
import type { Quote } from './quote.js';

export const quoteSchema = z
  .strictObject({ currency: currencySchema, lines: linesSchema, coupons: couponsSchema.optional() })
  .meta({
    id: 'QuoteRequest',
    examples: [
      {
        currency: 'EUR',
        lines: [
          { sku: 'demo-mug', quantity: 2 },
          { sku: 'demo-shirt', quantity: 1 },
        ],
      },
    ],
  });

const quotedLineSchema = pricedLineSchema
  .extend({ available: z.int().meta({ description: 'Units that could be had now', examples: [996] }) })
  .meta({ id: 'QuotedLine', description: 'A line with its present price and stock' });

export const quoteResponseSchema = z
  .object({
    lines: z.array(quotedLineSchema),
    total: amountSchema.meta({ description: 'What is owed for the goods, after discounts' }),
    totals: totalsSchema,
    amountDue: amountSchema.meta({ description: 'What a card would pay, unless credit pays a part' }),
    currency: currencySchema,
    available: z.boolean().meta({ description: 'Whether all of it could be had now' }),
  })
  .meta({ id: 'Quote' });

export type QuoteInput = z.infer<typeof quoteSchema>;

export function toQuoteResponse({ isAvailable, lines, total, discounts, currency }: Quote) {
  const totals = totalsOf({ total, discounts });
  return { lines, total, totals, amountDue: total, currency, available: isAvailable };
}

export type QuoteResponse = ReturnType<typeof toQuoteResponse>;
