import { Injectable } from '@nestjs/common';
import { Batcher } from '../common/batcher.js';
import { RecentSet } from '../common/recent-set.js';
import { isUnavailable } from '../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import type { IdempotentRequest } from '../platform/idempotency/idempotency.js';
import { IdempotencyRepository, KeyRecord } from '../platform/idempotency/idempotency.repository.js';
import { KeyScopeTransition } from '../platform/idempotency/key-scope-transition.js';
import type { Sku } from '../inventory/sku/sku.js';
import { SkuCache } from '../inventory/sku/sku-cache.js';
import { SkuRepository } from '../inventory/sku/sku.repository.js';
import { CreditAccess, type CreditSource, type FoundAccounts } from '../credit/credit-access.service.js';
import type { Coupon } from '../promotion/coupon.js';
import { CouponRepository } from '../promotion/coupon.repository.js';
import type { CheckoutBody } from './checkout.dto.js';

/** What a checkout needs before it begins. */
export interface Intake {
  /** The result of an earlier request with the same key. */
  readonly earlier: KeyRecord | undefined;
  /** At least the SKUs of the lines, as far as they exist. */
  readonly catalogue: ReadonlyMap<string, Sku>;
  /** At least the coupons and accounts that are named, as far as they exist. */
  readonly coupons: ReadonlyMap<string, Coupon>;
  readonly accounts: FoundAccounts;
  /** Nothing was looked up: the key is assumed to be new, and the catalogue is as this instance last saw it. */
  readonly isCached: boolean;
}

interface LookUp {
  readonly keyIds: readonly Buffer[];
  readonly skus: readonly string[];
  readonly coupons: readonly string[];
  readonly credit: readonly CreditSource[];
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

const BATCHING = { maxBatch: 256, maxInFlight: 2, isShared: isUnavailable };

/** Clients retry within minutes. This instance recognises their keys, and looks them up. */
const RECENT_KEYS = 50_000;

/**
 * Keys and prices: from the cache if the first transaction verifies them, else in one round trip for all waiting
 * requests.
 */
@Injectable()
export class CheckoutIntake {
  private readonly lookUps = new Batcher<LookUp, Intake>((batch) => this.lookUpAll(batch), BATCHING);
  private readonly recentKeys = new RecentSet<string>(RECENT_KEYS);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly keys: IdempotencyRepository,
    private readonly skus: SkuRepository,
    private readonly skuCache: SkuCache,
    private readonly coupons: CouponRepository,
    private readonly credit: CreditAccess,
    private readonly transition: KeyScopeTransition,
  ) {}

  /** Undefined if they have to be looked up. */
  fromCache({ id }: IdempotentRequest, { lines, coupons, payment }: CheckoutBody): Intake | undefined {
    const isNew = this.recentKeys.add(id.toString('latin1'));
    if (!isNew || !lines || coupons || payment.credit) return undefined;
    const catalogue = this.skuCache.find(lines.map(({ sku }) => sku));
    return catalogue && { earlier: undefined, catalogue, coupons: NONE, accounts: NONE, isCached: true };
  }

  lookUp(request: IdempotentRequest, { lines = [], coupons = [], payment }: CheckoutBody): Promise<Intake> {
    const skus = lines.map(({ sku }) => sku);
    return this.lookUps.run({ keyIds: this.transition.idsOf(request), skus, coupons, credit: payment.credit ?? [] });
  }

  private async lookUpAll(batch: readonly LookUp[]): Promise<Intake[]> {
    const skus = [...new Set(batch.flatMap((lookUp) => lookUp.skus))];
    const codes = [...new Set(batch.flatMap((lookUp) => lookUp.coupons))];
    const credit = batch.flatMap((lookUp) => lookUp.credit);
    const [records, catalogue, coupons, accounts] = await this.transactions.read((db) =>
      Promise.all([
        this.keys.find(
          db,
          batch.map(({ keyIds }) => keyIds),
        ),
        this.skus.find(db, skus),
        codes.length > 0 ? this.coupons.find(db, codes) : NONE,
        this.credit.find(db, credit),
      ]),
    );
    return records.map((earlier) => ({ earlier, catalogue, coupons, accounts, isCached: false }));
  }
}
