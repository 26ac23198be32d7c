import type { Discount } from '../common/totals.js';
import { appliesTo, type Coupon, type DiscountItem } from './coupon.js';
import { CouponNotApplicableError } from './coupon.errors.js';

const HUNDRED_PERCENT = 10_000n;

interface Occasion {
  readonly currency: string;
  /** When the coupon has to be valid. */
  readonly at: Date;
}

/**
 * The discounts of coupons, in the order in which they were named. Percentages come first, each of the full price of
 * its items: 10 % and 20 % are 30 % in either order. Their sum is rounded half up once. Amounts come next, in order. No
 * coupon takes more off than is left of its items. Throws if a coupon does not apply, or would be used up without an
 * effect.
 */
export function discountsOf(
  items: readonly DiscountItem[],
  coupons: readonly Coupon[],
  occasion: Occasion,
): readonly Discount[] {
  for (const coupon of coupons) assertApplicable(coupon, items, occasion);
  const left = items.map(({ amount }) => amount);
  const amounts = new Map<Coupon, number>();
  const takeOff = (coupon: Coupon, wanted: number): void => {
    const theirs = items.flatMap((item, index) => (appliesTo(coupon, item) ? [index] : []));
    const amount = Math.min(wanted, sum(theirs.map((index) => left[index] ?? 0)));
    if (amount === 0) throw new CouponNotApplicableError(coupon, 'NO_EFFECT');
    spread(amount, left, theirs);
    amounts.set(coupon, amount);
  };
  const percentages = coupons.filter(({ basisPoints }) => basisPoints !== null);
  roundedTogether(percentages.map((coupon) => partOf(items, coupon))).forEach((amount, index) =>
    takeOff(percentages[index] as Coupon, amount),
  );
  for (const coupon of coupons) if (coupon.amountOff !== null) takeOff(coupon, coupon.amountOff);
  return coupons.map((coupon) => ({ code: coupon.code, amount: amounts.get(coupon) ?? 0 }));
}

function assertApplicable(coupon: Coupon, items: readonly DiscountItem[], { currency, at }: Occasion): void {
  if (coupon.startsAt && at < coupon.startsAt) throw new CouponNotApplicableError(coupon, 'NOT_STARTED');
  if (coupon.endsAt && at >= coupon.endsAt) throw new CouponNotApplicableError(coupon, 'ENDED');
  if (coupon.currency !== null && coupon.currency !== currency) throw new CouponNotApplicableError(coupon, 'CURRENCY');
  if (!items.some((item) => appliesTo(coupon, item))) throw new CouponNotApplicableError(coupon, 'OTHER_GOODS');
  if (sum(items.map(({ amount }) => amount)) < (coupon.minimumAmount ?? 0))
    throw new CouponNotApplicableError(coupon, 'MINIMUM_AMOUNT');
}

/**
 * In hundredths of a percent of a minor unit. A bigint, because it may exceed the integers that a double represents
 * exactly.
 */
function partOf(items: readonly DiscountItem[], coupon: Coupon): bigint {
  const base = sum(items.filter((item) => appliesTo(coupon, item)).map(({ amount }) => amount));
  return BigInt(base) * BigInt(coupon.basisPoints ?? 0);
}

/**
 * Rounds the parts to whole minor units so that their sum is the rounded sum: each is the step of the rounded running
 * sum.
 */
function roundedTogether(parts: readonly bigint[]): number[] {
  let exact = 0n;
  let rounded = 0n;
  return parts.map((part) => {
    exact += part;
    const next = divideHalfUp(exact, HUNDRED_PERCENT);
    const step = next - rounded;
    rounded = next;
    return Number(step);
  });
}

/**
 * Takes an amount off several items in proportion to what is left of each, so that later coupons see the right
 * remainder.
 */
function spread(amount: number, left: number[], indexes: readonly number[]): void {
  const whole = BigInt(sum(indexes.map((index) => left[index] ?? 0)));
  let before = 0n;
  let taken = 0n;
  for (const index of indexes) {
    const own = left[index] ?? 0;
    before += BigInt(own);
    const upToHere = divideHalfUp(BigInt(amount) * before, whole);
    left[index] = own - Number(upToHere - taken);
    taken = upToHere;
  }
}

function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
