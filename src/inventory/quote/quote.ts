import { DomainError } from '../../common/domain-error.js';
import type { Discount } from '../../common/totals.js';
import { type HoldTerms, type PricedLine, totalOf, type Offer } from '../reservation/reservation.js';
import { SkuNotFoundError } from '../sku/sku.errors.js';
import type { Sku } from '../sku/sku.js';
import { mergeQuantities, StockLine } from '../stock/stock-line.js';
import type { Claim } from '../../balance/allowance.js';
import type { Coupon } from '../../promotion/coupon.js';
import { CouponNotApplicableError } from '../../promotion/coupon.errors.js';
import { discountsOf } from '../../promotion/discount.js';
import { AllowanceExceededError } from '../reservation/reservation.errors.js';

export interface QuotedLine extends PricedLine {
  readonly amount: number;
  /** Units that can be held now. */
  readonly available: number;
}

export interface Quote {
  readonly currency: string;
  readonly lines: readonly QuotedLine[];
  /** After discounts. */
  readonly total: number;
  readonly discounts: readonly Discount[];
  readonly isAvailable: boolean;
}

/** Prices come from the catalogue, never from the client; lines of one SKU become one line. */
export function priceLines(
  catalogue: ReadonlyMap<string, Sku>,
  currency: string,
  lines: readonly StockLine[],
): readonly QuotedLine[] {
  const merged = mergeQuantities(lines);
  const unknown = [...merged.keys()].filter((sku) => !catalogue.has(sku));
  if (unknown.length > 0) throw new SkuNotFoundError(unknown);
  const priced = [...merged].map(([sku, quantity]) => ({ quantity, sku: catalogue.get(sku) as Sku }));
  const foreign = priced.filter(({ sku }) => sku.currency !== currency);
  if (foreign.length > 0) {
    const errors = foreign.map(({ sku }) => ({
      path: 'lines',
      message: `${sku.sku} is priced in ${sku.currency}, not in ${currency}`,
    }));
    throw new DomainError('VALIDATION_FAILED', errors[0]?.message ?? '', { errors });
  }
  return priced.map(({ quantity, sku }) => ({
    sku: sku.sku,
    name: sku.name,
    quantity,
    unitAmount: sku.unitAmount,
    amount: quantity * sku.unitAmount,
    available: sku.onHand - sku.reserved,
  }));
}

export function toQuote(currency: string, lines: readonly QuotedLine[], terms: HoldTerms | undefined): Quote {
  return {
    currency,
    lines,
    total: totalOf({ lines, terms }),
    discounts: terms?.discounts ?? [],
    isAvailable: lines.every((line) => line.quantity <= line.available),
  };
}

/** What has to be known beside the lines, and when. */
export interface Occasion {
  readonly currency: string;
  readonly catalogue: ReadonlyMap<string, Pick<Sku, 'group' | 'maxPerCustomer'>>;
  readonly coupons: readonly Coupon[];
  readonly at: Date;
}

/** Undefined for plain goods, which most are. Throws COUPON_NOT_APPLICABLE, or LIMIT_EXCEEDED for what nobody may have. */
export function termsOf(lines: readonly PricedLine[], occasion: Occasion): HoldTerms | undefined {
  const { catalogue, coupons } = occasion;
  const limits = lines.flatMap(({ sku, quantity }): Claim[] => {
    const perCustomer = catalogue.get(sku)?.maxPerCustomer ?? undefined;
    if (perCustomer === undefined) return [];
    const limit = { kind: 'limit', subject: sku } as const;
    if (quantity > perCustomer)
      throw new AllowanceExceededError({ ...limit, requested: quantity, available: perCustomer });
    return [{ ...limit, quantity, perCustomer }];
  });
  if (coupons.length === 0 && limits.length === 0) return undefined;
  const items = lines.map(({ sku, quantity, unitAmount }) => ({
    sku,
    group: catalogue.get(sku)?.group ?? null,
    amount: quantity * unitAmount,
  }));
  return { discounts: discountsOf(items, coupons, occasion), claims: [...coupons.flatMap(redemptionsOf), ...limits] };
}

/** Goods to which a coupon does not apply, or that nobody may have, are no alternative. If none is left, the first says why. */
export function offersOf(alternatives: readonly (readonly PricedLine[])[], occasion: Occasion): readonly Offer[] {
  let refusal: DomainError | undefined;
  const offers = alternatives.flatMap((lines): Offer[] => {
    try {
      return [{ lines, terms: termsOf(lines, occasion) }];
    } catch (error) {
      if (!(error instanceof CouponNotApplicableError || error instanceof AllowanceExceededError)) throw error;
      refusal ??= error;
      return [];
    }
  });
  if (offers.length === 0 && refusal) throw refusal;
  return offers;
}

function redemptionsOf({ code: subject, maxPerCustomer }: Coupon): Claim[] {
  const everybodys: Claim = { kind: 'coupon', subject, quantity: 1 };
  return maxPerCustomer === null ? [everybodys] : [everybodys, { ...everybodys, perCustomer: maxPerCustomer }];
}
