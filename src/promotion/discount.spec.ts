import fc from 'fast-check';
import { appliesTo, type Coupon, type DiscountItem } from './coupon.js';
import { CouponNotApplicableError } from './coupon.errors.js';
import { discountsOf } from './discount.js';

const AT = new Date('2026-11-15T10:00:00Z');
const occasion = { currency: 'EUR', at: AT };

function coupon(parts: Partial<Coupon> = {}): Coupon {
  const rules = { currency: null, maxPerCustomer: null, minimumAmount: null, startsAt: null, endsAt: null };
  return { code: 'C', basisPoints: null, amountOff: null, ...rules, skus: null, group: null, ...parts };
}
const percent = (value: number, parts: Partial<Coupon> = {}) => coupon({ basisPoints: value * 100, ...parts });
const off = (amount: number, parts: Partial<Coupon> = {}) => coupon({ amountOff: amount, currency: 'EUR', ...parts });
const item = (amount: number, sku = 'mug', group: string | null = null): DiscountItem => ({ sku, group, amount });
const amountsOf = (items: readonly DiscountItem[], coupons: readonly Coupon[]) =>
  discountsOf(items, coupons, occasion).map(({ amount }) => amount);
const refusalOf = (coupons: readonly Coupon[], items = [item(1_000)]) => {
  try {
    discountsOf(items, coupons, occasion);
    return undefined;
  } catch (error) {
    return error instanceof CouponNotApplicableError ? error.details['reason'] : error;
  }
};

describe('discountsOf', () => {
  it('takes a percentage of all items together and rounds half up once', () => {
    expect(amountsOf([item(110)], [percent(15)])).toEqual([17]); // 16.5
    expect(amountsOf([item(103)], [percent(15)])).toEqual([15]); // 15.45
    // Line by line it would be 0.5 → 1, three times.
    expect(amountsOf([item(5, 'a'), item(5, 'b'), item(5, 'c')], [percent(10)])).toEqual([2]); // 1.5
    expect(amountsOf([item(1_000)], [percent(12.5)])).toEqual([125]);
    expect(amountsOf([item(1_000)], [percent(100)])).toEqual([1_000]);
  });

  it('adds percentages up, whoever is named first, and rounds their sum once', () => {
    const [ten, twenty] = [percent(10, { code: 'TEN' }), percent(20, { code: 'TWENTY' })];
    expect(amountsOf([item(105)], [ten, { ...ten, code: 'TENTH' }])).toEqual([11, 10]); // 10.5 + 10.5 = 21
    expect(amountsOf([item(1_000)], [ten, twenty])).toEqual([100, 200]);
    expect(amountsOf([item(1_000)], [twenty, ten])).toEqual([200, 100]);
  });

  it('takes amounts off what percentages have left, and never more than that', () => {
    expect(amountsOf([item(1_000)], [off(300), percent(10)])).toEqual([300, 100]);
    expect(amountsOf([item(1_000)], [off(950), percent(10)])).toEqual([900, 100]);
    expect(amountsOf([item(200)], [off(500)])).toEqual([200]);
  });

  it('keeps to its goods: by SKU, by group, or both', () => {
    const items = [item(1_000, 'mug', 'kitchen'), item(2_000, 'shirt', 'clothes'), item(4_000, 'spoon', 'kitchen')];
    expect(amountsOf(items, [percent(10, { skus: ['shirt'] })])).toEqual([200]);
    expect(amountsOf(items, [percent(10, { group: 'kitchen' })])).toEqual([500]);
    expect(amountsOf(items, [percent(10, { skus: ['shirt'], group: 'kitchen' })])).toEqual([700]);
    // Half of the mug's price is gone: the amount applies to the rest and takes nothing off the shirt.
    expect(amountsOf(items, [percent(50, { skus: ['mug'] }), off(800, { skus: ['mug'] })])).toEqual([500, 500]);
  });

  it('works in minor units, whatever the currency divides by', () => {
    for (const currency of ['JPY', 'EUR', 'KWD'])
      expect(discountsOf([item(1_235)], [percent(10)], { currency, at: AT })).toEqual([{ code: 'C', amount: 124 }]);
  });

  it('is exact for amounts that a double is not exact for when they are multiplied', () => {
    const most = 999_999_999_999_999;
    expect(amountsOf([item(most)], [percent(33.33)])).toEqual([Number((BigInt(most) * 3_333n + 5_000n) / 10_000n)]);
  });

  it('says which condition is not met', () => {
    const [before, after] = [new Date(AT.getTime() - 1), new Date(AT.getTime() + 1)];
    expect(refusalOf([percent(10, { startsAt: after })])).toBe('NOT_STARTED');
    expect(refusalOf([percent(10, { startsAt: AT, endsAt: after })])).toBeUndefined();
    expect(refusalOf([percent(10, { endsAt: AT })])).toBe('ENDED');
    expect(refusalOf([percent(10, { endsAt: before })])).toBe('ENDED');
    expect(refusalOf([percent(10, { currency: 'USD' })])).toBe('CURRENCY');
    expect(refusalOf([percent(10, { skus: ['shirt'] })])).toBe('OTHER_GOODS');
    expect(refusalOf([percent(10, { minimumAmount: 1_001 })])).toBe('MINIMUM_AMOUNT');
    expect(refusalOf([percent(10, { minimumAmount: 1_000 })])).toBeUndefined();
    expect(refusalOf([percent(100), off(1)])).toBe('NO_EFFECT');
    expect(refusalOf([percent(10)], [item(4)])).toBe('NO_EFFECT');
  });

  const skus = ['a', 'b', 'c'];
  const items = fc
    .tuple(...skus.map(() => fc.integer({ min: 0, max: 100_000 })))
    .map((amounts) => amounts.map((amount, index) => item(amount, skus[index])));
  const coupons = fc.array(
    fc.record({
      isPercentage: fc.boolean(),
      value: fc.integer({ min: 1, max: 100 }),
      skus: fc.option(fc.subarray(skus, { minLength: 1 })),
    }),
    { minLength: 1, maxLength: 5 },
  );

  it('never takes off more than the items cost, nor more than its own items cost', () => {
    fc.assert(
      fc.property(items, coupons, (goods, rules) => {
        const given = rules.map(({ isPercentage, value, skus: own }, index) => ({
          ...(isPercentage ? percent(value) : off(value * 500)),
          code: `C${index}`,
          skus: own,
        }));
        let amounts: number[];
        try {
          amounts = amountsOf(goods, given);
        } catch (error) {
          return expect(error).toBeInstanceOf(CouponNotApplicableError);
        }
        const total = (of: readonly DiscountItem[]) => of.reduce((sum, { amount }) => sum + amount, 0);
        expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeLessThanOrEqual(total(goods));
        amounts.forEach((amount, index) => {
          expect(Number.isSafeInteger(amount) && amount > 0).toBe(true);
          expect(amount).toBeLessThanOrEqual(total(goods.filter((each) => appliesTo(given[index]!, each))));
        });
        // Coupons for one SKU never take more off than it costs.
        for (const sku of skus) {
          const own = amounts.filter((_, index) => given[index]!.skus?.join() === sku);
          const [its] = goods.filter((each) => each.sku === sku);
          expect(own.reduce((sum, amount) => sum + amount, 0)).toBeLessThanOrEqual(its!.amount);
        }
      }),
    );
  });
});
