import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/postgres/tx.js';
import { IdempotencyRepository } from '../../platform/idempotency/idempotency.repository.js';
import { REFUND_LOCK, refundKey } from '../../lock/lock-keys.js';
import { PaymentRepository, PaymentRow } from '../../payment/payment.repository.js';
import { RefundService } from '../../payment/refund.service.js';
import type { LocalAction, SagaStep, Stage } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import type { SagaFailure } from '../../saga/saga.errors.js';
import type { ClaimedKey } from '../claim-keys.js';
import { claimKeys } from '../claim-keys.js';
import { LOCAL_RETRY } from '../retry-policies.js';
import type { RefundData } from './settle-refund.step.js';

export interface RefundRequestData extends RefundData {
  readonly sagaId: string;
  readonly key?: ClaimedKey | undefined;
  readonly refundId: string;
  /** null: everything that is left. */
  readonly amount: number | null;
  readonly reason: string;
  readonly createdAt: string;
}

type Run = StepContext<RefundRequestData>;

/** Sets the amount aside on the payment, so that concurrent refunds can never exceed what was captured. */
@Injectable()
export class RequestRefundStep implements SagaStep<RefundRequestData> {
  readonly name = 'request-refund';
  readonly retry = LOCAL_RETRY;
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<RefundRequestData> = {
    kind: 'local',
    locks: { keys: (data) => [refundKey(data.orderId)], terms: REFUND_LOCK },
    run: (tx, batch, stage) => this.request(tx, batch, stage),
  };

  constructor(
    private readonly keys: IdempotencyRepository,
    private readonly payments: PaymentRepository,
    private readonly refunds: RefundService,
  ) {}

  private async request(tx: Tx, batch: readonly Run[], stage: Stage): Promise<void> {
    const claimed = await claimKeys(this.keys, tx, batch, stage);
    if (claimed.length === 0) return;
    const granted = await this.refunds.request(
      tx,
      claimed.map(({ data }) => ({
        id: data.refundId,
        orderId: data.orderId,
        amount: data.amount,
        reason: data.reason,
      })),
    );
    const payments = await this.payments.ofOrders(
      tx,
      claimed.map(({ data }) => data.orderId),
    );
    for (const run of claimed) {
      const payment = payments.get(run.data.orderId);
      const grant = granted.get(run.data.refundId);
      if (!grant || !payment?.transactionId) run.fail(refusalOf(payment));
      else
        run.update({
          refund: {
            id: run.data.refundId,
            orderId: run.data.orderId,
            transactionId: payment.transactionId,
            amount: grant.amount,
            currency: payment.currency,
            attempt: 1,
          },
        });
    }
    for (const run of claimed) {
      const { refundId, refund, reason } = run.data;
      if (!run.hasVerdict) run.note('refund.requested', { refundId, amount: refund?.amount, reason });
    }
  }
}

function refusalOf(payment: PaymentRow | undefined): SagaFailure {
  if (!payment || (payment.state !== 'CAPTURED' && payment.state !== 'REFUNDED')) {
    return { code: 'INVALID_STATE', detail: 'The order has no captured payment' };
  }
  const refundable = payment.amount - payment.refundReserved;
  return {
    code: 'REFUND_EXCEEDS_CAPTURED',
    detail: `At most ${refundable} can be refunded`,
    details: { captured: payment.amount, refundable },
  };
}
