import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/postgres/tx.js';
import { AuditTrail } from '../../platform/audit-trail/audit-trail.js';
import type { Operator } from '../../platform/audit-trail/operator.js';
import { IdempotencyRepository } from '../../platform/idempotency/idempotency.repository.js';
import { REFUND_LOCK, refundKey } from '../../lock/lock-keys.js';
import { capturedOf, refundableOf } from '../../payment/captured.js';
import { PaymentRepository, PaymentRow } from '../../payment/payment.repository.js';
import { RefundService } from '../../payment/refund.service.js';
import type { LocalAction, SagaStep, Stage } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import type { SagaFailure } from '../../saga/saga.errors.js';
import type { ClaimedKey } from '../claim-keys.js';
import { claimKeys } from '../claim-keys.js';
import { LOCAL_RETRY } from '../retry-policies.js';
import { AccountNotFoundError } from '../../credit/account.errors.js';
import { CreditRefunds, type CreditRefundVerdict } from './credit-refunds.service.js';
import type { RefundData } from './settle-refund.step.js';

export interface RefundRequestData extends RefundData {
  readonly sagaId: string;
  readonly key?: ClaimedKey | undefined;
  readonly refundId: string;
  /** null: everything that is left. */
  readonly amount: number | null;
  readonly reason: string;
  /** Absent in sagas from before the audit trail. */
  readonly operator?: Operator;
  readonly createdAt: string;
  /** Set where credit has a part in it: it paid a part of the order, or is what the refund is paid as. */
  readonly credit?:
    { readonly customerId: string | null; readonly currency: string; readonly to?: 'credit' | undefined } | undefined;
  /** Of those: what has gone to accounts, and what is left for the card. */
  readonly credited?: number | undefined;
  readonly cardAmount?: number | undefined;
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
    private readonly creditRefunds: CreditRefunds,
    private readonly trail: AuditTrail,
  ) {}

  private async request(tx: Tx, batch: readonly Run[], stage: Stage): Promise<void> {
    const claimed = await claimKeys(this.keys, tx, batch, stage);
    // One at a time: of two refunds of an order the second is split by what the first left on the card and in the accounts.
    for (const run of claimed) if (run.data.credit) await this.payCredit(tx, run, run.data.credit);
    const others = claimed.filter((run) => !run.data.credit);
    if (others.length > 0) await this.setAside(tx, others);
    for (const run of claimed) {
      const { refundId, refund, credited, reason } = run.data;
      if (run.hasVerdict) continue;
      const amount = (refund?.amount ?? 0) + (credited ?? 0);
      run.note('refund.requested', { refundId, amount, ...(credited && { credited }), reason });
      this.audit(tx, run.data, amount);
    }
  }

  /** In the same transaction as what is set aside for the card: a refund is granted as a whole. */
  private async payCredit(tx: Tx, run: Run, credit: NonNullable<RefundRequestData['credit']>): Promise<void> {
    const { refundId, orderId, amount, reason } = run.data;
    const verdict = await this.creditRefunds.request(tx, { refundId, orderId, amount, reason, ...credit });
    if (verdict.kind !== 'granted') {
      run.fail(creditRefusalOf(verdict));
      return;
    }
    run.update({ credited: verdict.credited, cardAmount: verdict.parts.card });
    if (verdict.parts.card > 0) await this.setAside(tx, [run]);
  }

  private async setAside(tx: Tx, batch: readonly Run[]): Promise<void> {
    const granted = await this.refunds.request(
      tx,
      batch.map(({ data }) => ({
        id: data.refundId,
        orderId: data.orderId,
        amount: cardAmountOf(data),
        reason: data.reason,
      })),
    );
    const payments = await this.payments.ofOrders(
      tx,
      batch.map(({ data }) => data.orderId),
    );
    for (const run of batch) {
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
  }

  private audit(tx: Tx, { operator, orderId, refundId, refund, credit }: RefundRequestData, amount: number): void {
    if (!operator) return;
    const detail = { refundId, amount, currency: refund?.currency ?? credit?.currency };
    this.trail.append(tx, operator, { verb: 'refund', subjectKind: 'order', subject: orderId, orderId, detail });
  }
}

/** What goes back to the card; null: all that is left. */
function cardAmountOf({ amount, cardAmount }: RefundRequestData): number | null {
  return cardAmount ?? amount;
}

function creditRefusalOf(verdict: Exclude<CreditRefundVerdict, { kind: 'granted' }>): SagaFailure {
  if (verdict.kind === 'exceeds') return exceeds(verdict.captured, verdict.refundable);
  const { code, message: detail } = new AccountNotFoundError();
  return { code, detail };
}

function refusalOf(payment: PaymentRow | undefined): SagaFailure {
  if (!payment || (payment.state !== 'CAPTURED' && payment.state !== 'REFUNDED')) {
    const detail = 'The order has no captured payment';
    return { code: 'INVALID_STATE', detail, ...(payment && { details: { state: payment.state } }) };
  }
  return exceeds(capturedOf(payment), refundableOf(payment));
}

function exceeds(captured: number, refundable: number): SagaFailure {
  const detail = `At most ${refundable} can be refunded`;
  return { code: 'REFUND_EXCEEDS_CAPTURED', detail, details: { captured, refundable } };
}
