import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../infrastructure/config/app-config.js';
import type { Tx } from '../../infrastructure/database/tx.js';
import { OutboxRepository } from '../../infrastructure/outbox/outbox.repository.js';
import { REFUND_LOCK, refundKey } from '../../lock/lock-keys.js';
import { PAYMENT_GATEWAY, type PaymentGateway, type RefundResult } from '../../payment/gateway/payment-gateway.js';
import { StrayChargeRepository } from '../../payment/stray-charge.repository.js';
import { Called, remote, RemoteAction, SagaStep } from '../../saga/saga-definition.js';
import { REFUND_RETRY } from '../steps/retry-policies.js';
import type { StrayData } from './stray-data.js';

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
    call: ({ data }, { signal }) => this.gateway.refund(requestOf(data), signal),
    resolve: ({ data }, { signal }) => this.gateway.lookupRefund(requestOf(data), signal),
    record: (tx, answers) => this.record(tx, answers),
  });

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly strays: StrayChargeRepository,
    private readonly outbox: OutboxRepository,
  ) {
    this.timeoutMs = config.payment.timeoutMs;
  }

  private async record(tx: Tx, answers: readonly Called<StrayData, RefundResult>[]): Promise<void> {
    const settled = answers.filter(({ result }) => result.kind === 'settled').map(({ run }) => run);
    const landed = await this.strays.settle(
      tx,
      settled.map(({ data }) => data.strayId),
    );
    const told = settled
      .filter(({ data }) => landed.has(data.strayId))
      .map((run) => {
        const { orderId, strayId: refundId, amount, refundedAmount } = run.data;
        const detail = { refundId, amount: amount - refundedAmount };
        run.tell('refund.settled', detail);
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
      if (result.kind === 'processing') run.retry('the provider is still at work on the refund');
      if (result.kind !== 'failed') continue;
      run.update({ attempt: run.data.attempt + 1 });
      run.retry(`the refund failed: ${result.reason}`);
    }
  }
}

function requestOf(data: StrayData) {
  const { orderId, transactionId, amount, refundedAmount, currency, attempt } = data;
  const idempotencyKey = `stray:${transactionId}:${attempt}`;
  return { idempotencyKey, orderId, transactionId, amount: amount - refundedAmount, currency };
}
