import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/postgres/tx.js';
import { StrayChargeRepository } from '../../payment/stray-charge.repository.js';
import type { LocalAction, SagaStep } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import { AlreadyHandledError } from '../../saga/start-once.js';
import { LOCAL_RETRY } from '../../orders/retry-policies.js';
import type { StrayData } from './stray-data.js';

/**
 * Records the charge. The unique transaction id decides which saga pays it back: a second one has no effect, and
 * neither has a charge that belongs to a payment.
 */
@Injectable()
export class RecordStrayStep implements SagaStep<StrayData> {
  readonly name = 'record-stray';
  readonly retry = LOCAL_RETRY;
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<StrayData> = { kind: 'local', run: (tx, batch) => this.record(tx, batch) };

  constructor(private readonly strays: StrayChargeRepository) {}

  private async record(tx: Tx, batch: readonly StepContext<StrayData>[]): Promise<void> {
    const added = await this.strays.insert(
      tx,
      batch.map(({ data }) => ({ ...data, id: data.strayId })),
    );
    for (const run of batch) {
      const { strayId, transactionId, amount, source } = run.data;
      if (added.has(strayId)) run.note('payment.stray-found', { transactionId, amount, source });
      else run.abandon(new AlreadyHandledError(`${transactionId} is in our books`));
    }
  }
}
