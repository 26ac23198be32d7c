import { z } from 'zod';
import { isCurrency } from '../../common/currency.js';
import { ONE_LINE } from '../../common/text.js';
import { TOTAL_TYPES } from '../../common/totals.js';

/** The most that one unit may cost, and the most that one entry of an account may be. */
export const MAX_AMOUNT = 1_000_000_000;

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

/** A list as every route answers it, with its name in the API's document. */
export const pageSchema = <T extends z.ZodType>(item: T, id: string) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() }).meta({ id });

export const textSchema = (max: number) =>
  z.string().trim().min(1).max(max).regex(ONE_LINE, 'must not contain control characters');

export const totalsSchema = z
  .array(
    z
      .object({
        type: z.enum(TOTAL_TYPES).meta({ examples: ['discount'] }),
        label: z
          .string()
          .meta({ description: 'For people: a coupon’s code, or what kind of credit', examples: ['SAVE10'] }),
        amount: z.int().meta({ description: 'In minor units; negative where it is taken off', examples: [-125] }),
      })
      .meta({ id: 'TotalLine' }),
  )
  .meta({ description: 'How the amount due comes about: items, discounts and credit add up to `amountDue`' });
