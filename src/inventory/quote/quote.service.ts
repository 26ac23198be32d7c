import { Injectable } from '@nestjs/common';
import { Batcher } from '../../common/batcher.js';
import { isUnavailable } from '../../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { priceLines, Quote, QuotedLine, toQuote } from './quote.js';
import type { Sku } from '../sku/sku.js';
import { SkuRepository } from '../sku/sku.repository.js';
import type { StockLine } from '../stock/stock-allocation.js';

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
  ) {}

  async quote(currency: string, lines: readonly StockLine[]): Promise<Quote> {
    return toQuote(currency, await this.price(currency, lines));
  }

  /** Merged per SKU. Throws SKU_NOT_FOUND, or VALIDATION_FAILED for a SKU with another currency. */
  async price(currency: string, lines: readonly StockLine[]): Promise<readonly QuotedLine[]> {
    const [priced = []] = await this.priceAll(currency, [lines]);
    return priced;
  }

  /** Prices each alternative separately, with one query of the catalogue. */
  async priceAll(
    currency: string,
    alternatives: readonly (readonly StockLine[])[],
  ): Promise<readonly (readonly QuotedLine[])[]> {
    const catalogue = await this.lookups.run([...new Set(alternatives.flat().map(({ sku }) => sku))]);
    return alternatives.map((lines) => priceLines(catalogue, currency, lines));
  }

  private async lookUp(batch: readonly (readonly string[])[]): Promise<ReadonlyMap<string, Sku>[]> {
    const found = await this.skus.find(this.transactions, [...new Set(batch.flat())]);
    return batch.map(() => found);
  }
}
