import { Injectable } from '@nestjs/common';
import { StockRepository } from '../../inventory/stock/stock.repository.js';
import { STOCK_LOCK, stockKey } from '../../lock/lock-keys.js';
import type { LocalAction, SagaStep } from '../../saga/saga-definition.js';
import type { CancellationData } from './begin-cancellation.step.js';
import { LOCAL_RETRY } from '../retry-policies.js';

/** Puts back what a cancelled order had taken, at most once per order and SKU. */
@Injectable()
export class RestockInventoryStep implements SagaStep<CancellationData> {
  readonly name = 'restock-inventory';
  readonly retry = LOCAL_RETRY;
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<CancellationData> = {
    kind: 'local',
    locks: { keys: (data) => data.lines.map(({ sku }) => stockKey(sku)), terms: STOCK_LOCK },
    run: (tx, batch) =>
      this.stock.restock(
        tx,
        batch.map(({ data }) => ({ orderId: data.orderId, lines: data.lines })),
        'cancellation',
      ),
  };

  constructor(private readonly stock: StockRepository) {}
}
