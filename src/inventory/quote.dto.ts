import { z } from 'zod';
import { currencySchema, linesSchema } from './line.dto.js';
import type { Quote } from './quote.js';

export const quoteSchema = z.strictObject({ currency: currencySchema, lines: linesSchema });

export type QuoteInput = z.infer<typeof quoteSchema>;

export function toQuoteResponse({ isAvailable, lines, total, currency }: Quote) {
  return { lines, total, currency, available: isAvailable };
}

export type QuoteResponse = ReturnType<typeof toQuoteResponse>;
