import { Injectable } from '@nestjs/common';
import { untilAborted } from '../../common/deadline.js';
import { messageOf } from '../../common/error-message.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { PaymentRepository } from '../../payment/payment.repository.js';
import { SagaOperatorService } from '../../saga/operator/saga-operator.service.js';
import { SagaRecoveryJob } from '../../saga/saga-recovery.job.js';
import type { FailedRefund } from '../refund-failures/failed-refund.js';
import { FailedRefundService } from '../refund-failures/failed-refund.service.js';
import { StrayService } from '../strays/stray.service.js';
import type { Finding } from './reconciliation-report.js';
import type { MissedCallback } from './reconciliation.repository.js';

interface CapturedCharge {
  readonly orderId: string;
  readonly transactionId: string;
  readonly captured: number;
  readonly refunded: number;
  readonly currency: string;
}

/**
 * The repairs that need no person. Each one starts or wakes a saga, so that it happens once and any instance can finish
 * it.
 */
@Injectable()
export class ReconciliationRepairs {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly payments: PaymentRepository,
    private readonly recovery: SagaRecoveryJob,
    private readonly operator: SagaOperatorService,
    private readonly strays: StrayService,
    private readonly failedRefunds: FailedRefundService,
  ) {}

  /**
   * Undefined if the saga has moved on. The ledger's charge id is recorded first, because the saga looks the charge up
   * by it.
   */
  async wake({ sagaId, saga, orderId, transactionId, state }: MissedCallback): Promise<Finding['result'] | undefined> {
    await this.payments.noteTransaction(this.transactions, [{ orderId, transactionId }]);
    if (saga === 'WAITING') return (await this.recovery.wake(sagaId)) ? 'woken' : undefined;
    try {
      const reason = `the charge is ${state} at the provider`;
      await this.operator.apply(sagaId, 'retry', { actor: 'reconciliation', reason });
      return 'woken';
    } catch {
      return undefined; // an operator or a callback was quicker
    }
  }

  async payBack(charge: CapturedCharge, signal: AbortSignal): Promise<Finding> {
    const { orderId, transactionId, captured: amount, refunded: refundedAmount, currency } = charge;
    const base = { kind: 'stray-charge', orderId, transactionId };
    const detail = `${amount} ${currency} captured, which no payment of ours stands for`;
    try {
      const stray = { orderId, transactionId, amount, refundedAmount, currency, source: 'reconciliation' as const };
      const { ended } = await this.strays.payBack(stray);
      const isPaid = (await hasEnded(ended, signal)) && (await this.strays.isPaidBack(transactionId));
      return { ...base, detail, result: isPaid ? 'paid back' : 'being paid back' };
    } catch (error) {
      return { ...base, detail: `${detail}; ${messageOf(error)}`, result: 'needs attention' };
    }
  }

  /** Refunds of the charge that the provider took back, although no list contained them. */
  async repayOf(orderId: string, transactionId: string, signal: AbortSignal): Promise<Finding[]> {
    const failed = await this.failedRefunds.ofCharge(orderId, transactionId, signal);
    return Promise.all(failed.map((refund) => this.repay(refund, signal)));
  }

  async repay(refund: FailedRefund, signal: AbortSignal): Promise<Finding> {
    const { orderId, transactionId, amount, reason } = refund;
    const base = { kind: 'refund-failed', orderId, transactionId };
    const detail = `a refund of ${amount} had settled and failed after that: ${reason}`;
    try {
      const { ended } = await refund.repay('reconciliation');
      const isPaid = (await hasEnded(ended, signal)) && (await refund.isRepaid());
      return { ...base, detail, result: isPaid ? 'paid back' : 'being paid back' };
    } catch (error) {
      return { ...base, detail: `${detail}; ${messageOf(error)}`, result: 'needs attention' };
    }
  }
}

/** False if there was no time left to wait for the end. The saga that pays back continues without us. */
async function hasEnded(ended: Promise<void>, signal: AbortSignal): Promise<boolean> {
  try {
    await untilAborted(signal, ended);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
