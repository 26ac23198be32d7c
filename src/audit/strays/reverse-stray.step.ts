import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/postgres/tx.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { StrayChargeRepository } from '../../payment/stray-charge.repository.js';
import type { LocalAction, SagaStep } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import { MAX_LATE_FAILURES, tooManyFailures } from '../refund-failures/failed-refund.js';
import { AlreadyHandledError } from '../../saga/start-once.js';
import { LOCAL_RETRY } from '../../orders/retry-policies.js';
import type { FailedStrayData } from './stray-data.js';

/** Reverses the refund of a stray charge that the provider took back: the charge is owed again. */
@Injectable()
export class ReverseStrayStep implements SagaStep<FailedStrayData> {
  readonly name = 'reverse-stray';
  readonly retry = LOCAL_RETRY;
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<FailedStrayData> = { kind: 'local', run: (tx, batch) => this.reverse(tx, batch) };

  constructor(
    private readonly strays: StrayChargeRepository,
    private readonly outbox: OutboxRepository,
  ) {}

  private async reverse(tx: Tx, batch: readonly StepContext<FailedStrayData>[]): Promise<void> {
    const firsts = new Map(batch.toReversed().map((run) => [run.data.strayId, run]));
    const taken = await this.strays.takeBack(
      tx,
      [...firsts.values()].map(({ data: { strayId: id, failedRefundId: providerRefundId, sagaId, ...stray } }) => ({
        ...{ id, providerRefundId, sagaId, amount: stray.amount - stray.refundedAmount },
      })),
    );
    for (const run of batch) {
      const { strayId, orderId, amount: all, refundedAmount, failure, source } = run.data;
      const lateFailures = firsts.get(strayId) === run ? taken.get(strayId) : undefined;
      if (lateFailures === undefined) {
        // Not new: this saga was stuck here until an operator retried it.
        if (run.isNew) run.abandon(new AlreadyHandledError(`the refund of stray ${strayId} was taken back before`));
        continue;
      }
      const amount = all - refundedAmount;
      run.note('refund.taken-back', { refundId: strayId, amount, failure, source, lateFailures });
      const payload = { orderId, refundId: strayId, amount, reason: failure };
      this.outbox.append(tx, [{ type: 'refund.failed', subject: orderId, payload }]);
      if (lateFailures > MAX_LATE_FAILURES) run.stick(tooManyFailures(lateFailures, failure));
    }
  }
}
