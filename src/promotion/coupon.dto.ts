import { z } from 'zod';
import type { Allowance } from '../balance/allowance.repository.js';
import { ONE_OF } from '../platform/http/openapi/schema-converter.js';
import { currencySchema, MAX_AMOUNT, skuIdSchema, timeSchema } from '../platform/http/fields.js';
import type { Coupon } from './coupon.js';
import type { StoredCoupon } from './coupon.repository.js';

const MAX_COUPONS = 10;
const MAX_SKUS = 1_000;
const MAX_COUNT = 1_000_000_000;
const BASIS_POINTS_PER_PERCENT = 100;

/** Compared exactly: the storefront decides whether case matters. */
export const couponCodeSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/, 'letters, digits and . _ ~ -, starting with a letter or a digit')
  .meta({ description: 'The coupon’s code', examples: ['SAVE10'] });

/** In a quote, a reservation or a checkout. A coupon that is named twice counts once. */
export const couponsSchema = z
  .array(couponCodeSchema)
  .max(MAX_COUPONS)
  .meta({ description: 'Coupons to redeem: percentages first, then amounts', examples: [['SAVE10']] });

const time = z.iso.datetime({ offset: true });
const count = z.int().min(1).max(MAX_COUNT);

export const couponSchema = z
  .strictObject({
    percentOff: z
      .number()
      .positive()
      .max(100)
      .refine(isHundredths, 'at most two decimals')
      .meta({ description: 'Of the price of its items; rounded half up once per order', examples: [10] })
      .optional(),
    amountOff: z
      .int()
      .min(1)
      .max(MAX_AMOUNT)
      .meta({ description: 'In place of a percentage, in minor units: at most what its items cost' })
      .optional(),
    currency: currencySchema.optional().meta({ description: 'Needed with amountOff; else restricts the coupon to it' }),
    maxRedemptions: count
      .nullish()
      .meta({ description: 'By everybody together, held or redeemed; never below what is', examples: [50] }),
    maxPerCustomer: count.nullish().meta({ description: 'By one customer: by id, else by mailbox', examples: [1] }),
    minimumAmount: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .nullish()
      .meta({ description: 'Of all items together, before discounts' }),
    startsAt: time.nullish(),
    endsAt: time.nullish().meta({ description: 'From then on it is not good any more' }),
    skus: z.array(skuIdSchema).min(1).max(MAX_SKUS).nullish().meta({ description: 'Only for these' }),
    group: skuIdSchema.nullish().meta({ description: 'Only for the SKUs of this group (and those of `skus`)' }),
  })
  .refine(({ percentOff, amountOff }) => (percentOff === undefined) !== (amountOff === undefined), {
    path: ['percentOff'],
    message: 'send either percentOff or amountOff',
  })
  .refine(({ amountOff, currency }) => amountOff === undefined || currency !== undefined, {
    path: ['currency'],
    message: 'amountOff needs a currency',
  })
  .refine(({ startsAt, endsAt }) => startsAt == null || endsAt == null || Date.parse(endsAt) > Date.parse(startsAt), {
    path: ['endsAt'],
    message: 'must be after startsAt',
  })
  .meta({
    id: 'CouponRequest',
    [ONE_OF]: ['percentOff', 'amountOff'],
    examples: [{ percentOff: 10, maxRedemptions: 50, maxPerCustomer: 1 }],
  });

export type CouponInput = z.infer<typeof couponSchema>;

export const couponResponseSchema = z
  .object({
    code: z.string().meta({ examples: ['SAVE10'] }),
    percentOff: z.number().optional(),
    amountOff: z.int().optional(),
    currency: currencySchema.optional(),
    maxRedemptions: z.int().optional(),
    maxPerCustomer: z.int().optional(),
    minimumAmount: z.int().optional(),
    startsAt: timeSchema.optional(),
    endsAt: timeSchema.optional(),
    skus: z.array(z.string()).optional(),
    group: z.string().optional(),
    redeemed: z.int().meta({ description: 'By confirmed orders', examples: [12] }),
    held: z.int().meta({ description: 'By holds and by orders that are not confirmed yet', examples: [1] }),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'Coupon' });

export function toCoupon(code: string, input: CouponInput): Coupon {
  const { percentOff, amountOff, currency, maxPerCustomer, minimumAmount, startsAt, endsAt, skus, group } = input;
  return {
    code,
    basisPoints: percentOff === undefined ? null : Math.round(percentOff * BASIS_POINTS_PER_PERCENT),
    amountOff: amountOff ?? null,
    currency: currency ?? null,
    maxPerCustomer: maxPerCustomer ?? null,
    minimumAmount: minimumAmount ?? null,
    startsAt: startsAt == null ? null : new Date(startsAt),
    endsAt: endsAt == null ? null : new Date(endsAt),
    skus: skus ?? null,
    group: group ?? null,
  };
}

/** Conditions that the coupon does not have are left out. */
export function toCouponResponse(coupon: StoredCoupon, { allowed, taken, held }: Omit<Allowance, 'key'>) {
  const { code, basisPoints, startsAt, endsAt, createdAt, updatedAt, ...rules } = coupon;
  const { amountOff, currency, maxPerCustomer, minimumAmount, skus, group } = rules;
  return {
    code,
    ...(basisPoints !== null && { percentOff: basisPoints / BASIS_POINTS_PER_PERCENT }),
    ...(amountOff !== null && { amountOff }),
    ...(currency !== null && { currency }),
    ...(allowed !== null && { maxRedemptions: allowed }),
    ...(maxPerCustomer !== null && { maxPerCustomer }),
    ...(minimumAmount !== null && { minimumAmount }),
    ...(startsAt && { startsAt: startsAt.toISOString() }),
    ...(endsAt && { endsAt: endsAt.toISOString() }),
    ...(skus && { skus }),
    ...(group !== null && { group }),
    redeemed: taken,
    held,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export type CouponResponse = ReturnType<typeof toCouponResponse>;

function isHundredths(percent: number): boolean {
  const hundredths = percent * BASIS_POINTS_PER_PERCENT;
  return Math.abs(hundredths - Math.round(hundredths)) < 1e-6;
}
