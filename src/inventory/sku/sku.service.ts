import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { Availability } from './availability.service.js';
import type { Answer } from '../../platform/idempotency/idempotency.js';
import {
  assertIfMatch,
  etagOf,
  isKnown,
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

/** What the reader has already, and what it can unpack. */
export interface ListConditions {
  readonly ifNoneMatch: string | undefined;
  readonly acceptEncoding: string | undefined;
}

@Injectable()
export class SkuService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly skus: SkuRepository,
    private readonly availability: Availability,
  ) {}

  async get(sku: string, ifNoneMatch: string | undefined): Promise<Answer> {
    const found = await this.availability.sku(sku);
    if (!found) throw new SkuNotFoundError([sku]);
    return cacheable(ifNoneMatch, answer(200, found));
  }

  /** A group is answered from its snapshot, however many ask for it; all SKUs, a page at a time, by the database. */
  async list(input: SkuListInput, { ifNoneMatch, acceptEncoding }: ListConditions): Promise<Answer> {
    const snapshot = input.group === undefined ? undefined : await this.availability.group(input.group);
    if (!snapshot) return { status: 200, body: await this.listAll(input), isReplay: false };
    const page = snapshot.page(input);
    const headers = { etag: page.etag, vary: 'accept-encoding', 'content-type': 'application/json; charset=utf-8' };
    if (isKnown(ifNoneMatch, page.etag))
      return cacheable(ifNoneMatch, { status: 200, headers, body: '', isReplay: false });
    const packed = /\bgzip\b/.test(acceptEncoding ?? '') ? await page.compressed() : undefined;
    if (!packed) return cacheable(undefined, { status: 200, headers, body: page.text, isReplay: false });
    return cacheable(undefined, {
      status: 200,
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: packed,
      isReplay: false,
    });
  }

  private async listAll(input: SkuListInput): Promise<SkuPage> {
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

/** May be kept for a second, no longer; 304 where the reader has it already. */
function cacheable(ifNoneMatch: string | undefined, { headers = {}, ...rest }: Answer): Answer {
  const kept = { ...headers, 'cache-control': 'max-age=1' };
  if (!isKnown(ifNoneMatch, headers['etag'] ?? '')) return { ...rest, headers: kept };
  const { etag = '', vary } = headers;
  const conditions = { etag, 'cache-control': 'max-age=1', ...(vary !== undefined && { vary }) };
  return { status: 304, headers: conditions, body: undefined, isReplay: false };
}
