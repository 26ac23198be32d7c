import type { CouponEntity } from './coupon.entity.js';

export const COUPON_MEMBERS = [
  'code',
  'basisPoints',
  'amountOff',
  'currency',
  'maxPerCustomer',
  'minimumAmount',
  'startsAt',
  'endsAt',
  'skus',
  'group',
] as const satisfies readonly (keyof CouponEntity)[];

/** The rules of a coupon. */
export type Coupon = Readonly<Pick<CouponEntity, (typeof COUPON_MEMBERS)[number]>>;

/** An item to which a coupon may apply. */
export interface DiscountItem {
  readonly sku: string;
  readonly group: string | null;
  readonly amount: number;
}

export function appliesTo({ skus, group }: Coupon, item: DiscountItem): boolean {
  if (skus === null && group === null) return true;
  return (skus?.includes(item.sku) ?? false) || (group !== null && item.group === group);
}
