import { Injectable } from '@nestjs/common';
import { newId } from '../../common/id.js';
import { amountDue } from '../../common/totals.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { paymentKey, REFUND_LOCK, refundKey } from '../../lock/lock-keys.js';
import { AuthorizationService } from '../../payment/authorization.service.js';
import type { ChargeResult, KnownCharge, RefundResult } from '../../payment/gateway/payment-gateway.js';
import { PaymentRepository } from '../../payment/payment.repository.js';
import { RefundOrder, RefundService } from '../../payment/refund.service.js';
import { CallContext, Called, remote, RemoteAction } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import { CheckoutData } from '../checkout-data.js';
import { LostCharge, OrderCharge } from './order-charge.js';
import { takeAnswerOf } from '../../orders/refund/refund-answer.js';
import { REFUND_RETRY } from '../../orders/retry-policies.js';

type Run = StepContext<CheckoutData>;
type Settlement =
  | { readonly charge: ChargeResult | LostCharge | undefined }
  | { readonly authorization: KnownCharge }
  | { readonly refund: RefundResult };

/**
 * Compensates a payment: first makes sure what became of the charge, and closes it if it is still open, which voids an
 * authorisation; then pays back what was captured. Never blind: a charge in doubt is looked up until the provider answers.
 */
@Injectable()
export class RefundCharge {
  readonly action: RemoteAction<CheckoutData> = remote<CheckoutData, Settlement>({
    kind: 'remote',
    retry: REFUND_RETRY,
    // The charge's lock too: whether there is something to pay back is known once no charge is under way any more.
    locks: { keys: ({ orderId }) => [paymentKey(orderId), refundKey(orderId)], terms: REFUND_LOCK },
    prepare: (tx, batch) => this.request(tx, batch),
    call: (run, context) => this.call(run, context),
    resolve: (run, context) => this.resolve(run, context),
    doubt: (tx, batch) =>
      this.refunds.doubt(
        tx,
        batch.flatMap(({ data }) => data.refund ?? []),
      ),
    record: (tx, answers) => this.record(tx, answers),
  });

  constructor(
    private readonly charges: OrderCharge,
    private readonly payments: PaymentRepository,
    private readonly refunds: RefundService,
    private readonly authorizations: AuthorizationService,
  ) {}

  /** A refund for every charge that is known to be captured; the others are looked at first. */
  private async request(tx: Tx, batch: readonly Run[]): Promise<void> {
    const captured = batch.flatMap((run) =>
      run.data.charge?.kind === 'captured' && amountDue(run.data) > 0
        ? [{ run, id: newId(), transactionId: run.data.charge.transactionId }]
        : [],
    );
    if (captured.length === 0) return;
    const granted = await this.refunds.request(
      tx,
      captured.map(({ run, id }) => ({
        id,
        orderId: run.data.orderId,
        amount: null,
        reason: run.failure?.code ?? 'compensation',
      })),
    );
    for (const { run, id, transactionId } of captured) {
      const { amount } = granted.get(id) ?? {};
      if (amount === undefined) continue; // paid back already
      const refund: RefundOrder = {
        id,
        orderId: run.data.orderId,
        transactionId,
        amount,
        currency: run.data.currency,
        attempt: 1,
      };
      run.update({ refund });
    }
  }

  /**
   * Whether the provider remembers our key does not matter here, since nothing is sent again: that it has no charge under
   * it is all there is to know. One that is open is closed, if the provider lets us.
   */
  private async call({ data }: Run, { signal }: CallContext): Promise<Settlement> {
    if (data.refund) return { refund: await this.refunds.perform(data.refund, signal) };
    if (data.charge?.kind === 'captured') return { charge: undefined };
    if (data.charge?.kind === 'authorized')
      return { authorization: await this.charges.cancel(data, data.charge.transactionId, signal) };
    const found = await this.charges.find(data, signal);
    if (found.kind === 'requires_action' || found.kind === 'processing')
      return { charge: (await this.charges.cancel(data, found.transactionId, signal)).result };
    return { charge: found.kind === 'none' ? undefined : found };
  }

  private async resolve({ data }: Run, { signal }: CallContext): Promise<Settlement | undefined> {
    const refund = data.refund && (await this.refunds.lookUp(data.refund, signal));
    return refund && { refund };
  }

  private async record(tx: Tx, answers: readonly Called<CheckoutData, Settlement>[]): Promise<void> {
    for (const { run, result } of answers) {
      if ('refund' in result) await this.recordRefund(tx, run, result.refund);
      else if ('authorization' in result) await this.recordVoid(tx, run, result.authorization);
      else await this.recordCharge(tx, run, result.charge);
    }
  }

  private async recordRefund(tx: Tx, run: Run, result: RefundResult): Promise<void> {
    const { refund } = run.data;
    if (!refund) return;
    await this.refunds.record(tx, [{ refund, result }]);
    takeAnswerOf(run, refund, result);
  }

  /** Nobody but us may capture it before the order is confirmed, but a person at the provider can. */
  private async recordVoid(tx: Tx, run: Run, charge: KnownCharge): Promise<void> {
    const { orderId, paymentId, currency } = run.data;
    const authorization = { orderId, paymentId, transactionId: charge.id, amount: amountDue(run.data), currency };
    const end = await this.authorizations.record(tx, authorization, charge, 'us');
    if (end.kind === 'open') run.retry('the provider has not voided the authorisation yet');
    else if (end.kind === 'captured') await this.payBack(tx, run, charge.id);
    else run.note('payment.voided', { transactionId: charge.id });
  }

  private async payBack(tx: Tx, run: Run, transactionId: string): Promise<void> {
    run.update({ charge: { kind: 'captured', transactionId } });
    await this.request(tx, [run]);
    run.retry('the charge had gone through: paying it back');
  }

  /** What was in doubt is known now: authorised needs a void, captured after all needs a refund, anything else moved no money. */
  private async recordCharge(tx: Tx, run: Run, charge: ChargeResult | LostCharge | undefined): Promise<void> {
    const { orderId } = run.data;
    if (charge?.kind === 'lost') {
      run.stick(charge.reason);
      return;
    }
    if (charge?.kind === 'processing' || charge?.kind === 'requires_action') {
      await this.payments.noteTransaction(tx, [{ orderId, transactionId: charge.transactionId }]);
      run.update({ charge });
      run.retry('the provider is still at work on the charge');
      return;
    }
    if (charge?.kind === 'authorized') {
      this.payments.authorize(tx, [{ orderId, ...this.charges.authorized(charge) }]);
      run.update({ charge });
      run.retry('the charge was authorised: voiding it');
      return;
    }
    if (charge?.kind === 'captured') {
      await this.payments.move(tx, 'CAPTURED', [{ orderId, transactionId: charge.transactionId }]);
      return this.payBack(tx, run, charge.transactionId);
    }
    const declineCode = charge?.declineCode ?? 'not_charged';
    await this.payments.move(tx, 'DECLINED', [{ orderId, declineCode, transactionId: charge?.transactionId ?? null }]);
  }
}
