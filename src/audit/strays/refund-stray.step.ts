import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { REFUND_LOCK, refundKey } from '../../lock/lock-keys.js';
import type { RefundResult } from '../../payment/gateway/payment-gateway.js';
import { RefundSending, RefundService } from '../../payment/refund.service.js';
import { StrayChargeRepository } from '../../payment/stray-charge.repository.js';
import { Called, remote, RemoteAction, SagaStep } from '../../saga/saga-definition.js';
import { takeRefundAnswer } from '../../orders/refund/refund-answer.js';
import { REFUND_RETRY } from '../../orders/retry-policies.js';
import { type StrayData, strayKey } from './stray-data.js';

/** Pays a stray charge back. Behind the pivot of its sagas: it is tried until it is done or an operator has to look. */
@Injectable()
export class RefundStrayStep implements SagaStep<StrayData> {
  readonly name = 'refund-stray';
  readonly retry = REFUND_RETRY;
  readonly timeoutMs: number;
  readonly execute: RemoteAction<StrayData> = remote<StrayData, RefundResult>({
    kind: 'remote',
    locks: { keys: (data) => [refundKey(data.orderId)], terms: REFUND_LOCK },
    call: ({ data }, { signal }) => this.payBack(data, signal),
    resolve: ({ data }, { signal }) => this.refunds.find(sendingOf(data), signal),
    record: (tx, answers) => this.record(tx, answers),
  });

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly refunds: RefundService,
    private readonly strays: StrayChargeRepository,
    private readonly outbox: OutboxRepository,
  ) {
    this.timeoutMs = config.payment.timeoutMs;
  }

  private payBack(data: StrayData, signal: AbortSignal): Promise<RefundResult> {
    const sending = sendingOf(data);
    // It was already paid back at the provider and only had to be recorded.
    if (sending.amount === 0) return Promise.resolve({ kind: 'settled', refundId: '' });
    return this.refunds.send(sending, signal);
  }

  private async record(tx: Tx, answers: readonly Called<StrayData, RefundResult>[]): Promise<void> {
    const settled = answers.flatMap(({ run, result }) =>
      result.kind === 'settled' ? [{ id: run.data.strayId, providerRefundId: result.refundId }] : [],
    );
    const landed = await this.strays.settle(tx, settled);
    for (const { run, result } of answers) {
      const { orderId, strayId: refundId, amount, refundedAmount, attempt, providerRefundId } = run.data;
      const detail = { refundId, amount: amount - refundedAmount };
      takeRefundAnswer(run, { ...detail, attempt, providerRefundId }, result, (next) => next);
      if (landed.has(refundId))
        this.outbox.append(tx, [{ type: 'refund.settled', subject: orderId, payload: { orderId, ...detail } }]);
    }
  }
}

function sendingOf(data: StrayData): RefundSending {
  const { orderId, transactionId, amount, refundedAmount, currency, providerRefundId } = data;
  const owed = { orderId, transactionId, amount: amount - refundedAmount, currency };
  return { ...owed, idempotencyKey: strayKey(data), providerRefundId };
}
