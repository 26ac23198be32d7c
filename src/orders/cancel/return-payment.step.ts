import { Inject, Injectable } from '@nestjs/common';
import { paymentKey, REFUND_LOCK, refundKey } from '../../lock/lock-keys.js';
import { type Authorization, AuthorizationService } from '../../payment/authorization.service.js';
import type { KnownCharge, RefundResult } from '../../payment/gateway/payment-gateway.js';
import { RefundService } from '../../payment/refund.service.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { CallContext, Called, remote, RemoteAction, SagaStep } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import { SettleRefundStep } from '../refund/settle-refund.step.js';
import { REFUND_RETRY } from '../retry-policies.js';
import type { CancellationData } from './begin-cancellation.step.js';

type Run = StepContext<CancellationData>;
type Returned = { readonly charge: KnownCharge } | { readonly refund: RefundResult | undefined };

/** Gives the customer's money back: voids what was only authorised, pays back what was captured. */
@Injectable()
export class ReturnPaymentStep implements SagaStep<CancellationData> {
  readonly name = 'return-payment';
  readonly retry = REFUND_RETRY;
  readonly timeoutMs: number;
  readonly execute: RemoteAction<CancellationData> = remote<CancellationData, Returned>({
    kind: 'remote',
    locks: { keys: ({ orderId }) => [paymentKey(orderId), refundKey(orderId)], terms: REFUND_LOCK },
    call: (run, context) => this.call(run, context),
    resolve: (run, context) => this.resolve(run, context),
    doubt: (tx, batch) => this.settle.doubt(tx, batch),
    record: (tx, answers) => this.record(tx, answers),
  });

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly authorizations: AuthorizationService,
    private readonly refunds: RefundService,
    private readonly settle: SettleRefundStep,
  ) {
    this.timeoutMs = config.payment.timeoutMs;
  }

  private async call({ data }: Run, { signal }: CallContext): Promise<Returned> {
    const authorization = openAuthorizationOf(data);
    if (authorization) return { charge: await this.authorizations.end(authorization, signal) };
    return { refund: await this.settle.pay(data, signal) };
  }

  /** A void may be sent again, however often it was. */
  private async resolve({ data }: Run, { signal }: CallContext): Promise<Returned | undefined> {
    const refund = openAuthorizationOf(data) ? undefined : await this.settle.lookUp(data, signal);
    return refund && { refund };
  }

  private async record(tx: Tx, answers: readonly Called<CancellationData, Returned>[]): Promise<void> {
    for (const { run, result } of answers) if ('charge' in result) await this.recordVoid(tx, run, result.charge);
    await this.settle.record(
      tx,
      answers.flatMap(({ run, result }) => ('refund' in result ? [{ run, result: result.refund }] : [])),
    );
  }

  private async recordVoid(tx: Tx, run: Run, charge: KnownCharge): Promise<void> {
    const authorization = openAuthorizationOf(run.data);
    if (!authorization) return;
    const end = await this.authorizations.record(tx, authorization, charge, 'us');
    const { transactionId, amount, currency } = authorization;
    if (end.kind === 'open') run.retry('the provider has not voided the authorisation yet');
    else if (end.kind === 'captured') await this.payBack(tx, run, authorization);
    else
      run.note(end.kind === 'voided' ? 'payment.voided' : 'payment.authorization_expired', {
        transactionId,
        amount,
        currency,
      });
  }

  /** Somebody has captured it at the provider: what was taken is paid back. */
  private async payBack(tx: Tx, run: Run, { transactionId, currency }: Authorization): Promise<void> {
    const { refundId: id, orderId } = run.data;
    const granted = await this.refunds.request(tx, [{ id, orderId, amount: null, reason: 'cancellation' }]);
    const amount = granted.get(id)?.amount;
    if (amount !== undefined) run.update({ refund: { id, orderId, transactionId, amount, currency, attempt: 1 } });
    run.retry('the authorisation had been captured: paying it back');
  }
}

/** Undefined where there is none, or where it turned out to be captured. */
function openAuthorizationOf({ authorization, refund }: CancellationData): Authorization | undefined {
  return refund ? undefined : authorization;
}
