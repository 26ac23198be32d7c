import { z } from 'zod';
import { isCurrency } from '../common/currency.js';
import { ONE_LINE } from '../common/text.js';

const MAX_LINES = 100;
const MAX_QUANTITY = 10_000;
export const MAX_AMOUNT = 1_000_000_000;
export const MAX_STOCK = 1_000_000_000;

/**
 * `cinema:show:12345:seat:A12`, `flight:AA123:2026-11-15:seat:12A`: only characters that are safe in URLs, logs and
 * CSV.
 */
export const skuIdSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9:/._~+@-]*$/, 'letters, digits and : / . _ ~ + @ -, starting with a letter or a digit')
  .meta({ examples: ['demo-mug'] });

export const currencySchema = z
  .string()
  .regex(/^[A-Z]{3}$/, { message: 'an ISO 4217 code such as EUR', abort: true })
  .refine(isCurrency, 'not a currency of ISO 4217')
  .meta({ description: 'ISO 4217', examples: ['EUR'] });

/** Minor units: 1250 is 12.50. */
export const amountSchema = z
  .int()
  .min(0)
  .meta({ description: 'In minor units', examples: [1_250] });

export const timeSchema = z.iso.datetime().meta({ examples: ['2026-11-15T10:00:00.000Z'] });

export const textSchema = (max: number) =>
  z.string().trim().min(1).max(max).regex(ONE_LINE, 'must not contain control characters');

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
