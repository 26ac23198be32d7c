import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';
import type { Answer } from '../../platform/idempotency/idempotency.js';
import {
  assertIfMatch,
  etagOf,
  SkuInput,
  SkuListInput,
  SkuPage,
  toFilter,
  toSkuData,
  toSkuPage,
  toSkuResponse,
} from './sku.dto.js';
import { SkuNotFoundError } from './sku.errors.js';
import type { Sku, SkuData } from './sku.js';
import { SkuRepository } from './sku.repository.js';

@Injectable()
export class SkuService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly skus: SkuRepository,
  ) {}

  async get(sku: string): Promise<Answer> {
    const found = (await this.skus.find(this.transactions, [sku])).get(sku);
    if (!found) throw new SkuNotFoundError([sku]);
    return answer(200, found);
  }

  async list(input: SkuListInput): Promise<SkuPage> {
    const filter = toFilter(input);
    const found = await this.skus.list(this.transactions, { ...filter, limit: filter.limit + 1 });
    return toSkuPage(found, filter.limit);
  }

  /** Creates the SKU with its stock, or changes its catalogue data. The stock of an existing SKU is not touched. */
  put(sku: string, input: SkuInput, ifMatch: string | undefined, actor: string): Promise<Answer> {
    const data = toSkuData(sku, input);
    return this.transactions.run(async (tx) => {
      const current = (await this.skus.lock(tx, [sku])).get(sku);
      assertIfMatch(ifMatch, current);
      if (current) return answer(200, await this.change(tx, current, data));
      const [created] = await this.skus.insertNew(tx, [data], actor);
      if (created) return answer(201, created, { location: `/v1/skus/${encodeURIComponent(sku)}` });
      const rival = (await this.skus.lock(tx, [sku])).get(sku); // created between our query and our insert
      if (!rival) throw new SkuNotFoundError([sku]);
      return answer(200, await this.change(tx, rival, data));
    });
  }

  /** Reserved units were priced in the old currency, so the currency changes only while nothing is reserved. */
  private async change(tx: Tx, current: Sku, data: SkuData): Promise<Sku> {
    if (current.currency !== data.currency && current.reserved > 0) {
      const detail = `The currency of ${current.sku} cannot change while units are reserved`;
      throw new DomainError('INVALID_STATE', detail, { sku: current.sku, reserved: current.reserved });
    }
    const [changed] = await this.skus.update(tx, [data]);
    return changed ?? current;
  }
}

function answer(status: number, sku: Sku, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { etag: etagOf(sku), ...headers }, body: toSkuResponse(sku), isReplay: false };
}
