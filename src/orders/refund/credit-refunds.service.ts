import { Injectable } from '@nestjs/common';
import { sumOf } from '../../common/totals.js';
import { AccountRepository } from '../../credit/account.repository.js';
import { CreditRepository, type TakenCredit } from '../../credit/credit.repository.js';
import { capturedOf, refundableOf } from '../../payment/captured.js';
import { PaymentRepository, type PaymentRow } from '../../payment/payment.repository.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { type RefundParts, splitRefund, spreadOver } from './refund-split.js';

export interface CreditRefundRequest {
  readonly refundId: string;
  readonly orderId: string;
  readonly customerId: string | null;
  readonly currency: string;
  /** null: everything that is left. */
  readonly amount: number | null;
  readonly reason: string;
  readonly to?: 'credit' | undefined;
}

export type CreditRefundVerdict =
  | { readonly kind: 'granted'; readonly parts: RefundParts; readonly credited: number }
  | { readonly kind: 'exceeds'; readonly captured: number; readonly refundable: number }
  | { readonly kind: 'no-account' };

const ACTOR = 'refund';

/** Refunds in which credit has a part: because credit paid a part of the order, or because credit is what it is paid back as. */
@Injectable()
export class CreditRefunds {
  constructor(
    private readonly payments: PaymentRepository,
    private readonly credit: CreditRepository,
    private readonly accounts: AccountRepository,
    private readonly outbox: OutboxRepository,
  ) {}

  /** Pays back what goes to accounts, now. What goes to the card is left to the caller, who sets it aside in this transaction. */
  async request(tx: Tx, request: CreditRefundRequest): Promise<CreditRefundVerdict> {
    const { orderId, to } = request;
    const payment = (await this.payments.lock(tx, [orderId])).get(orderId);
    const taken = await this.credit.lockTaken(tx, [orderId]);
    const left = leftOf(payment, taken);
    const parts = splitRefund(request.amount, left);
    if (!parts) {
      const captured = (payment ? capturedOf(payment) : 0) + sumOf(taken);
      return { kind: 'exceeds', captured, refundable: left.card + left.credit };
    }
    const target = to && (await this.targetOf(tx, request, taken));
    if (to && target === undefined) return { kind: 'no-account' };
    const credited = to ? parts.card + parts.credit : parts.credit;
    this.payBack(tx, request, parts, taken, target);
    if (credited > 0) this.publish(tx, request, credited);
    return { kind: 'granted', parts: to ? { card: 0, credit: credited } : parts, credited };
  }

  private payBack(
    tx: Tx,
    { refundId, orderId, reason }: CreditRefundRequest,
    { card, credit }: RefundParts,
    taken: readonly TakenCredit[],
    target: string | undefined,
  ): void {
    const open = taken.map((hold) => ({ ...hold, left: hold.amount - hold.refundedAmount }));
    const back = spreadOver(credit, open).map(([{ accountId }, amount]) => ({ orderId, accountId, amount }));
    this.credit.refund(tx, back);
    const entry = { refundId, reason, actor: ACTOR };
    if (target === undefined)
      return this.credit.deposit(
        tx,
        back.map((each) => ({ ...each, ...entry })),
      );
    this.payments.credit(tx, orderId, card);
    this.credit.deposit(tx, [{ orderId, accountId: target, amount: card + credit, ...entry }]);
  }

  /** The customer's own account, or the one that paid a part. */
  private async targetOf(
    tx: Tx,
    { customerId, currency }: CreditRefundRequest,
    [first]: readonly TakenCredit[],
  ): Promise<string | undefined> {
    const own = customerId === null ? undefined : await this.accounts.ofCustomer(tx, customerId, currency);
    return own?.id ?? first?.accountId;
  }

  private publish(tx: Tx, { orderId, refundId }: CreditRefundRequest, amount: number): void {
    const payload = { orderId, refundId, amount, to: 'credit' };
    this.outbox.append(tx, [{ type: 'refund.settled', subject: orderId, payload }]);
  }
}

function leftOf(payment: PaymentRow | undefined, taken: readonly TakenCredit[]): RefundParts {
  return {
    card: payment ? refundableOf(payment) : 0,
    credit: taken.reduce((sum, { amount, refundedAmount }) => sum + amount - refundedAmount, 0),
  };
}
