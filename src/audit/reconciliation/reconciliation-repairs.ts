import { Injectable } from '@nestjs/common';
import { untilAborted } from '../../common/deadline.js';
import { messageOf } from '../../common/error-message.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { PaymentRepository } from '../../payment/payment.repository.js';
import { SagaOperatorService } from '../../saga/operator/saga-operator.service.js';
import { SagaRecoveryJob } from '../../saga/saga-recovery.job.js';
import { AuthorizationCloser } from '../../orders/capture/authorization-closer.service.js';
import { DisputeService } from '../disputes/dispute.service.js';
import type { LedgerDifference } from '../ledger/ledger.repository.js';
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
    private readonly closer: AuthorizationCloser,
    private readonly disputes: DisputeService,
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

  /** The provider has captured or ended what is AUTHORIZED here: its facts are taken over. */
  async close({ orderId, transactionId, provider }: LedgerDifference, signal: AbortSignal): Promise<Finding> {
    const base = { kind: 'authorization-ended', orderId, transactionId };
    const captured = provider?.captured ?? 0;
    const detail = captured > 0 ? `the provider has captured ${captured} of it` : 'the provider has ended it';
    try {
      const { ended } = await this.closer.close(orderId, 'provider', 'reconciliation');
      return { ...base, detail, result: (await hasEnded(ended, signal)) ? 'closed' : 'woken' };
    } catch (error) {
      return { ...base, detail: `${detail}; ${messageOf(error)}`, result: 'needs attention' };
    }
  }

  /** A charge that is authorised for an order which was given up, or has another payment. */
  async release(charge: { orderId: string; transactionId: string }, signal: AbortSignal): Promise<Finding> {
    const base = { kind: 'stray-authorization', ...charge };
    const detail = 'authorised, which no payment of ours stands for';
    try {
      const isVoided = await this.strays.release(charge.orderId, charge.transactionId, signal);
      return { ...base, detail, result: isVoided ? 'voided' : 'needs attention' };
    } catch (error) {
      return { ...base, detail: `${detail}; ${messageOf(error)}`, result: 'needs attention' };
    }
  }

  /** Disputes that no callback told us of. */
  async noteDisputes(since: Date, signal: AbortSignal): Promise<Finding[]> {
    const disputes = await this.disputes.lookSince(since, signal);
    return disputes.map(({ orderId, id, state, amount, currency }) => {
      const detail = `dispute ${id} of ${amount} ${currency} is ${state}`;
      return { kind: 'dispute', orderId, transactionId: null, detail, result: 'noted' };
    });
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
