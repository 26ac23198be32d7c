import { z } from 'zod';
import { ONE_LINE } from '../common/text.js';

const MAX_LINES = 100;
const MAX_QUANTITY = 10_000;
export const MAX_AMOUNT = 1_000_000_000;
export const MAX_STOCK = 1_000_000_000;

/** `cinema:show:12345:seat:A12`, `flight:AA123:2026-11-15:seat:12A`: nothing that a URL, a log or a CSV could mistake. */
export const skuIdSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9:/._~+@-]*$/, 'letters, digits and : / . _ ~ + @ -, starting with a letter or a digit');

export const currencySchema = z.string().regex(/^[A-Z]{3}$/, 'an ISO 4217 code such as EUR');

export const textSchema = (max: number) =>
  z.string().trim().min(1).max(max).regex(ONE_LINE, 'must not contain control characters');

const lineSchema = z.strictObject({
  sku: skuIdSchema,
  quantity: z.int().min(1).max(MAX_QUANTITY),
});

export const linesSchema = z.array(lineSchema).min(1).max(MAX_LINES);
