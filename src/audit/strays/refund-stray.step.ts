import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { REFUND_LOCK, refundKey } from '../../lock/lock-keys.js';
import type { RefundResult } from '../../payment/gateway/payment-gateway.js';
import { afterAnswer, RefundSending, RefundService } from '../../payment/refund.service.js';
import { StrayChargeRepository } from '../../payment/stray-charge.repository.js';
import { Called, remote, RemoteAction, SagaStep } from '../../saga/saga-definition.js';
import { REFUND_RETRY } from '../../orders/retry-policies.js';
import { type StrayData, strayKey } from './stray-data.js';

/** Pays a stray charge back. The pivot: it is tried until it is done or an operator has to look. */
@Injectable()
export class RefundStrayStep implements SagaStep<StrayData> {
  readonly name = 'refund-stray';
  readonly retry = REFUND_RETRY;
  readonly timeoutMs: number;
  readonly isPivot = true;
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
    // Somebody has paid all of it back at the provider: it only had to come into our books.
    if (sending.amount === 0) return Promise.resolve({ kind: 'settled', refundId: '' });
    return this.refunds.send(sending, signal);
  }

  private async record(tx: Tx, answers: readonly Called<StrayData, RefundResult>[]): Promise<void> {
    const settled = answers.flatMap(({ run, result }) =>
      result.kind === 'settled' ? [{ run, id: run.data.strayId, providerRefundId: result.refundId }] : [],
    );
    const landed = await this.strays.settle(tx, settled);
    const told = settled
      .filter(({ id }) => landed.has(id))
      .map(({ run }) => {
        const { orderId, strayId: refundId, amount, refundedAmount } = run.data;
        const detail = { refundId, amount: amount - refundedAmount };
        run.note('refund.settled', detail);
        return { orderId, detail };
      });
    this.outbox.append(
      tx,
      told.map(({ orderId, detail }) => ({
        type: 'refund.settled',
        subject: orderId,
        payload: { orderId, ...detail },
      })),
    );
    for (const { run, result } of answers) {
      if (result.kind === 'settled') continue;
      const { attempt, providerRefundId } = afterAnswer(run.data, result);
      run.update({ attempt, providerRefundId });
      if (result.kind === 'failed') run.retry(`the refund failed: ${result.reason}`);
      else run.retry('the provider is still at work on the refund');
    }
  }
}

function sendingOf(data: StrayData): RefundSending {
  const { orderId, transactionId, amount, refundedAmount, currency, providerRefundId } = data;
  const owed = { orderId, transactionId, amount: amount - refundedAmount, currency };
  return { ...owed, idempotencyKey: strayKey(data), providerRefundId };
}
