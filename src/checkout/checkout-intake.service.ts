import { Injectable } from '@nestjs/common';
import { Batcher } from '../common/batcher.js';
import { isUnavailable } from '../infrastructure/database/sqlstate.js';
import { TransactionRunner } from '../infrastructure/database/transaction-runner.js';
import type { IdempotentRequest } from '../infrastructure/idempotency/idempotency.js';
import { IdempotencyRepository, KeyRecord } from '../infrastructure/idempotency/idempotency.repository.js';
import { Sku, SkuRepository } from '../inventory/sku.repository.js';
import type { CheckoutBody } from './checkout.dto.js';

/** What has to be known before a checkout begins. */
export interface Intake {
  /** What became of an earlier request with the same key. */
  readonly earlier: KeyRecord | undefined;
  /** At least the SKUs that the lines name, as far as they exist. */
  readonly catalogue: ReadonlyMap<string, Sku>;
}

interface Look {
  readonly keyId: Buffer;
  readonly skus: readonly string[];
}

const BATCHING = { maxBatch: 256, maxInFlight: 2, isShared: isUnavailable };

/** Looks up keys and prices: one round trip for all checkouts that arrive together. */
@Injectable()
export class CheckoutIntake {
  private readonly looks = new Batcher<Look, Intake>((batch) => this.lookAll(batch), BATCHING);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly keys: IdempotencyRepository,
    private readonly skus: SkuRepository,
  ) {}

  look(request: IdempotentRequest, body: CheckoutBody): Promise<Intake> {
    return this.looks.run({ keyId: request.id, skus: body.lines?.map(({ sku }) => sku) ?? [] });
  }

  private async lookAll(batch: readonly Look[]): Promise<Intake[]> {
    const skus = [...new Set(batch.flatMap((look) => look.skus))];
    const [records, catalogue] = await this.transactions.read((db) =>
      Promise.all([
        this.keys.find(
          db,
          batch.map(({ keyId }) => keyId),
        ),
        this.skus.find(db, skus),
      ]),
    );
    const known = new Map(records.map((record) => [record.id.toString('hex'), record]));
    return batch.map(({ keyId }) => ({
      earlier: known.size > 0 ? known.get(keyId.toString('hex')) : undefined,
      catalogue,
    }));
  }
}
