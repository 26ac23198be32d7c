import { Injectable } from '@nestjs/common';
import { allowanceKey } from '../../balance/allowance.js';
import { AllowanceRepository } from '../../balance/allowance.repository.js';
import { Batcher } from '../../common/batcher.js';
import { DatabaseClock } from '../../platform/postgres/database-clock.js';
import { isUnavailable } from '../../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Coupon } from '../../promotion/coupon.js';
import { CouponService } from '../../promotion/coupon.service.js';
import { AllowanceExceededError } from '../reservation/reservation.errors.js';
import type { Offer } from '../reservation/reservation.js';
import type { Sku } from '../sku/sku.js';
import { SkuRepository } from '../sku/sku.repository.js';
import type { StockLine } from '../stock/stock-line.js';
import { priceLines, Quote, toQuote, type Occasion, offersOf, termsOf } from './quote.js';

const MAX_BATCH = 200;
const MAX_IN_FLIGHT = 2;

/** Prices lines and says whether they are available. Changes nothing. */
@Injectable()
export class QuoteService {
  /** Requests that arrive together read the catalogue in one statement. */
  private readonly lookups = new Batcher<readonly string[], ReadonlyMap<string, Sku>>((batch) => this.lookUp(batch), {
    maxBatch: MAX_BATCH,
    maxInFlight: MAX_IN_FLIGHT,
    isShared: isUnavailable,
  });

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly skus: SkuRepository,
    private readonly coupons: CouponService,
    private readonly allowances: AllowanceRepository,
    private readonly clock: DatabaseClock,
  ) {}

  /** As a checkout would be told now: also of coupons that are used up, though it holds none. */
  async quote(currency: string, wanted: readonly StockLine[], codes?: readonly string[]): Promise<Quote> {
    const occasion = await this.occasionOf(currency, wanted, codes);
    const lines = priceLines(occasion.catalogue, currency, wanted);
    const quote = toQuote(currency, lines, termsOf(lines, occasion));
    await this.assertRedeemable(occasion.coupons);
    return quote;
  }

  /** Prices each alternative separately, with one query of the catalogue. */
  async offers(
    currency: string,
    alternatives: readonly (readonly StockLine[])[],
    codes?: readonly string[],
  ): Promise<readonly Offer[]> {
    const occasion = await this.occasionOf(currency, alternatives.flat(), codes);
    return offersOf(
      alternatives.map((lines) => priceLines(occasion.catalogue, currency, lines)),
      occasion,
    );
  }

  /** What prices and terms of these lines depend on. Throws COUPON_NOT_FOUND. */
  async occasionOf(
    currency: string,
    lines: readonly StockLine[],
    codes?: readonly string[],
  ): Promise<Occasion & { readonly catalogue: ReadonlyMap<string, Sku> }> {
    const [catalogue, coupons] = await Promise.all([
      this.lookups.run([...new Set(lines.map(({ sku }) => sku))]),
      this.coupons.named(this.transactions, codes),
    ]);
    return { currency, catalogue, coupons, at: this.clock.now() };
  }

  private async assertRedeemable(coupons: readonly Coupon[]): Promise<void> {
    if (coupons.length === 0) return;
    const keys = coupons.map(({ code }) => allowanceKey('coupon', code));
    for (const { key, allowed, held, taken } of (await this.allowances.find(this.transactions, keys)).values()) {
      if (allowed === null || held + taken < allowed) continue;
      const subject = coupons[keys.indexOf(key)]?.code ?? '';
      throw new AllowanceExceededError({ kind: 'coupon', subject, requested: 1, available: 0 });
    }
  }

  private async lookUp(batch: readonly (readonly string[])[]): Promise<ReadonlyMap<string, Sku>[]> {
    const found = await this.skus.find(this.transactions, [...new Set(batch.flat())]);
    return batch.map(() => found);
  }
}
