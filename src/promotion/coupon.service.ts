import { Injectable } from '@nestjs/common';
import { allowanceKey } from '../balance/allowance.js';
import { AllowanceRepository } from '../balance/allowance.repository.js';
import { DomainError } from '../common/domain-error.js';
import type { Answer } from '../platform/idempotency/idempotency.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import type { Queryable } from '../platform/postgres/tx.js';
import type { Coupon } from './coupon.js';
import { type CouponInput, type CouponResponse, toCoupon, toCouponResponse } from './coupon.dto.js';
import { CouponNotFoundError } from './coupon.errors.js';
import { CouponRepository } from './coupon.repository.js';

const NEVER_USED = { allowed: null, held: 0, taken: 0 };

@Injectable()
export class CouponService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly coupons: CouponRepository,
    private readonly allowances: AllowanceRepository,
  ) {}

  /** Existing holds and orders keep their discount: new rules apply to later ones. */
  put(code: string, input: CouponInput): Promise<Answer> {
    return this.transactions.run(async (tx) => {
      const coupon = await this.coupons.put(tx, toCoupon(code, input));
      const key = allowanceKey('coupon', code);
      const allowance = await this.allowances.put(tx, key, input.maxRedemptions ?? null);
      if (!allowance) {
        const { held = 0, taken: redeemed = 0 } = (await this.allowances.find(tx, [key])).get(key) ?? {};
        const detail = `${code} was redeemed ${redeemed} times and is held ${held} times: it cannot be limited to less`;
        throw new DomainError('INVALID_STATE', detail, { coupon: code, redeemed, held });
      }
      const headers: Record<string, string> = coupon.isNew
        ? { location: `/v1/coupons/${encodeURIComponent(code)}` }
        : {};
      const body = toCouponResponse(coupon, allowance);
      return { status: coupon.isNew ? 201 : 200, headers, body, isReplay: false };
    });
  }

  async get(code: string): Promise<CouponResponse> {
    const key = allowanceKey('coupon', code);
    const [coupons, allowances] = await this.transactions.read((db) =>
      Promise.all([this.coupons.find(db, [code]), this.allowances.find(db, [key])]),
    );
    const coupon = coupons.get(code);
    if (!coupon) throw new CouponNotFoundError(code);
    return toCouponResponse(coupon, allowances.get(key) ?? NEVER_USED);
  }

  /** In the order in which they were named, without duplicates. Throws COUPON_NOT_FOUND. */
  async named(db: Queryable, codes: readonly string[] | undefined): Promise<readonly Coupon[]> {
    if (!codes || codes.length === 0) return [];
    return pick(codes, await this.coupons.find(db, [...new Set(codes)]));
  }
}

/** Throws COUPON_NOT_FOUND for a code that was not found. */
export function pick(codes: readonly string[], found: ReadonlyMap<string, Coupon>): Coupon[] {
  return [...new Set(codes)].map((code) => {
    const coupon = found.get(code);
    if (!coupon) throw new CouponNotFoundError(code);
    return coupon;
  });
}
