import { Injectable } from '@nestjs/common';
import type { Tx } from '../../infrastructure/database/tx.js';
import { IdempotencyRepository } from '../../infrastructure/idempotency/idempotency.repository.js';
import { REFUND_LOCK, refundKey } from '../../lock/lock-keys.js';
import { OrderRepository } from '../../order/order.repository.js';
import { PaymentRepository } from '../../payment/payment.repository.js';
import { RefundService } from '../../payment/refund.service.js';
import type { LocalAction, SagaStep, Stage } from '../../saga/saga-definition.js';
import type { SagaRun } from '../../saga/saga-run.js';
import type { OrderLine } from '../../order/order.entity.js';
import type { ClaimedKey } from '../checkout-data.js';
import { claimKeys } from './claim-keys.js';
import { LOCAL_RETRY } from './retry-policies.js';
import type { RefundData } from './settle-refund.step.js';

export interface CancellationData extends RefundData {
  readonly sagaId: string;
  readonly key?: ClaimedKey | undefined;
  readonly refundId: string;
  readonly actor: string;
  readonly lines: readonly OrderLine[];
}

type Run = SagaRun<CancellationData>;

/** Marks a CONFIRMED order as this saga's to cancel, and sets aside whatever of its payment is not refunded yet. */
@Injectable()
export class BeginCancellationStep implements SagaStep<CancellationData> {
  readonly name = 'begin-cancellation';
  readonly retry = LOCAL_RETRY;
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<CancellationData> = {
    kind: 'local',
    locks: { keys: (data) => [refundKey(data.orderId)], terms: REFUND_LOCK },
    run: (tx, batch, stage) => this.begin(tx, batch, stage),
  };

  constructor(
    private readonly keys: IdempotencyRepository,
    private readonly orders: OrderRepository,
    private readonly payments: PaymentRepository,
    private readonly refunds: RefundService,
  ) {}

  private async begin(tx: Tx, batch: readonly Run[], stage: Stage): Promise<void> {
    const claimed = await claimKeys(this.keys, tx, batch, stage);
    if (claimed.length === 0) return;
    const marked = await this.orders.beginCancellation(
      tx,
      claimed.map(({ data }) => data),
    );
    const seen = new Set<string>();
    for (const run of claimed) {
      const { orderId } = run.data;
      if (!marked.has(orderId) || seen.has(orderId))
        run.fail({ code: 'INVALID_STATE', detail: 'The order is not CONFIRMED, or is being cancelled already' });
      seen.add(orderId);
    }
    const begun = claimed.filter((run) => !run.verdict);
    await this.setAside(tx, begun);
    for (const run of begun) run.tell('cancellation.begun', { actor: run.data.actor });
  }

  private async setAside(tx: Tx, begun: readonly Run[]): Promise<void> {
    if (begun.length === 0) return;
    const requests = begun.map(({ data }) => ({
      id: data.refundId,
      orderId: data.orderId,
      amount: null,
      reason: 'cancellation',
    }));
    const granted = await this.refunds.request(tx, requests);
    const payments = await this.payments.ofOrders(
      tx,
      begun.map(({ data }) => data.orderId),
    );
    for (const run of begun) {
      const payment = payments.get(run.data.orderId);
      const grant = granted.get(run.data.refundId);
      if (!grant || !payment?.transactionId) continue; // nothing left to pay back
      const { refundId: id, orderId } = run.data;
      run.update({
        refund: {
          id,
          orderId,
          transactionId: payment.transactionId,
          amount: grant.amount,
          currency: payment.currency,
          attempt: 1,
        },
      });
    }
  }
}
