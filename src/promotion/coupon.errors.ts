import { DomainError } from '../common/domain-error.js';
import type { Coupon } from './coupon.js';

export type CouponRefusal =
  'NOT_STARTED' | 'ENDED' | 'CURRENCY' | 'MINIMUM_AMOUNT' | 'OTHER_GOODS' | 'NO_EFFECT' | 'CUSTOMER_UNKNOWN';

/** Details of the refusal. */
type Rules = Pick<Coupon, 'code'> & Partial<Pick<Coupon, 'startsAt' | 'endsAt' | 'currency' | 'minimumAmount'>>;

const DETAILS: Readonly<Record<CouponRefusal, (coupon: Rules) => string>> = {
  NOT_STARTED: ({ code, startsAt }) => `${code} is good from ${startsAt?.toISOString() ?? 'later'} on`,
  ENDED: ({ code, endsAt }) => `${code} was good until ${endsAt?.toISOString() ?? 'now'}`,
  CURRENCY: ({ code, currency }) => `${code} is good for ${currency ?? 'another currency'}`,
  MINIMUM_AMOUNT: ({ code, minimumAmount }) => `${code} needs goods for at least ${minimumAmount ?? 0}`,
  OTHER_GOODS: ({ code }) => `${code} is for other goods`,
  NO_EFFECT: ({ code }) => `${code} would take nothing off`,
  CUSTOMER_UNKNOWN: ({ code }) => `${code} is limited per customer: say who buys, by customer.id or customer.email`,
};

/** One of the coupon's conditions is not met. The coupon has not been used. */
export class CouponNotApplicableError extends DomainError {
  constructor(coupon: Rules, reason: CouponRefusal) {
    super('COUPON_NOT_APPLICABLE', DETAILS[reason](coupon), { coupon: coupon.code, reason });
  }
}

export class CouponNotFoundError extends DomainError {
  constructor(code: string) {
    super('COUPON_NOT_FOUND', `There is no coupon ${code}`, { coupon: code });
  }
}
