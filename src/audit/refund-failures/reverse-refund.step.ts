import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/postgres/tx.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { REFUND_LOCK, refundKey } from '../../lock/lock-keys.js';
import { RefundRepository, TakenBack } from '../../payment/refund.repository.js';
import type { LocalAction, SagaStep } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import { AlreadyHandledError } from '../../saga/start-once.js';
import { LOCAL_RETRY } from '../../orders/retry-policies.js';
import type { RefundData } from '../../orders/refund/settle-refund.step.js';
import { type FoundBy, MAX_LATE_FAILURES, tooManyFailures } from './failed-refund.js';

export interface FailedRefundData extends RefundData {
  readonly sagaId: string;
  readonly refundId: string;
  /** The provider's id of the refund that failed. The refund that repays it gets another one. */
  readonly failedRefundId: string;
  readonly failure: string;
  readonly source: FoundBy;
}

type Run = StepContext<FailedRefundData>;

/**
 * Reverses a refund that the provider took back, SETTLED → FAILED, and makes it PENDING again under a new key. The
 * guarded move decides which saga does it; a second one has no effect.
 */
@Injectable()
export class ReverseRefundStep implements SagaStep<FailedRefundData> {
  readonly name = 'reverse-refund';
  readonly retry = LOCAL_RETRY;
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<FailedRefundData> = {
    kind: 'local',
    locks: { keys: (data) => [refundKey(data.orderId)], terms: REFUND_LOCK },
    run: (tx, batch) => this.reverse(tx, batch),
  };

  constructor(
    private readonly refunds: RefundRepository,
    private readonly outbox: OutboxRepository,
  ) {}

  private async reverse(tx: Tx, batch: readonly Run[]): Promise<void> {
    // Of two sagas in one batch for the same refund the first reverses it, and the second finds it reversed.
    const firsts = new Map(batch.toReversed().map((run) => [run.data.refundId, run]));
    const found = await this.refunds.takeBack(
      tx,
      [...firsts.values()].map(({ data }) => ({
        id: data.refundId,
        providerRefundId: data.failedRefundId,
        failure: data.failure,
      })),
    );
    const taken = new Map(found.map((refund) => [refund.id, refund]));
    for (const run of batch) {
      const refund = firsts.get(run.data.refundId) === run ? taken.get(run.data.refundId) : undefined;
      if (refund) this.begin(tx, run, refund);
      // Not new: this saga was stuck here, with the refund FAILED, until an operator retried it.
      else if (run.isNew) run.abandon(new AlreadyHandledError(`refund ${run.data.refundId} was taken back before`));
    }
    await this.sendAgain(
      tx,
      batch.filter((run) => !run.hasVerdict),
    );
  }

  private begin(tx: Tx, run: Run, refund: TakenBack): void {
    const { id, orderId, amount, currency, attempt, transactionId, lateFailures } = refund;
    const { failure, source } = run.data;
    run.update({ refund: { id, orderId, transactionId, amount, currency, attempt } });
    run.note('refund.taken-back', { refundId: id, amount, failure, source, lateFailures });
    const payload = { orderId, refundId: id, amount, reason: failure };
    this.outbox.append(tx, [{ type: 'refund.failed', subject: orderId, payload }]);
    if (lateFailures > MAX_LATE_FAILURES) run.stick(tooManyFailures(lateFailures, failure));
  }

  /** FAILED → PENDING under the next key. */
  private async sendAgain(tx: Tx, batch: readonly Run[]): Promise<void> {
    if (batch.length === 0) return;
    await this.refunds.retry(
      tx,
      batch.map(({ data }) => data.refundId),
    );
    for (const run of batch) {
      const { refund } = run.data;
      if (refund) run.update({ refund: { ...refund, attempt: refund.attempt + 1 } });
    }
  }
}
