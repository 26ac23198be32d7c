import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../infrastructure/config/app-config.js';
import type { Tx } from '../../infrastructure/database/tx.js';
import { OutboxRepository } from '../../infrastructure/outbox/outbox.repository.js';
import { ReservationRepository } from '../../inventory/reservation.repository.js';
import { PAYMENT_LOCK, paymentKey } from '../../lock/lock-keys.js';
import { type ChargeResult, PAYMENT_GATEWAY, type PaymentGateway } from '../../payment/gateway/payment-gateway.js';
import { PaymentRepository } from '../../payment/payment.repository.js';
import { CallContext, Called, remote, RemoteAction, SagaStep } from '../../saga/saga-definition.js';
import type { SagaRun } from '../../saga/saga-run.js';
import { CheckoutData } from '../checkout-data.js';
import { chargeKeyOf } from './charge-key.js';
import { RefundCharge } from './refund-charge.js';
import { CHARGE_RETRY } from './retry-policies.js';

type Run = SagaRun<CheckoutData>;
type Answer = Called<CheckoutData, ChargeResult>;

/** How long a saga waits for the provider's word before it asks by itself. */
const PROCESSING_POLL_MS = 30_000;

/** Charges the order once: intent first, then the call under the order's lock, then what the provider said. */
@Injectable()
export class ProcessPaymentStep implements SagaStep<CheckoutData> {
  readonly name = 'process-payment';
  readonly retry = CHARGE_RETRY;
  readonly timeoutMs: number;
  readonly execute: RemoteAction<CheckoutData> = remote<CheckoutData, ChargeResult>({
    kind: 'remote',
    locks: { keys: (data) => [paymentKey(data.orderId)], terms: PAYMENT_LOCK },
    prepare: (tx, batch) => this.intend(tx, batch),
    call: (run, context) => this.charge(run, context),
    resolve: (run, context) => this.lookUp(run, context),
    doubt: (tx, batch) => this.doubt(tx, batch),
    record: (tx, answers) => this.record(tx, answers),
  });
  readonly compensate: RemoteAction<CheckoutData>;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly payments: PaymentRepository,
    private readonly reservations: ReservationRepository,
    private readonly outbox: OutboxRepository,
    refundCharge: RefundCharge,
  ) {
    this.timeoutMs = config.payment.timeoutMs;
    this.compensate = refundCharge.action;
  }

  private intend(tx: Tx, batch: readonly Run[]): Promise<void> {
    this.payments.insert(
      tx,
      batch.map(({ data }) => ({
        id: data.paymentId,
        orderId: data.orderId,
        provider: this.gateway.provider,
        amount: data.total,
        currency: data.currency,
        method: data.method,
        idempotencyKey: chargeKeyOf(data),
      })),
    );
    return Promise.resolve();
  }

  private charge({ data }: Run, { signal }: CallContext): Promise<ChargeResult> {
    // Providers refuse to move nothing.
    if (data.total === 0) return Promise.resolve({ kind: 'captured', transactionId: 'free-of-charge' });
    const { orderId, currency, method } = data;
    return this.gateway.charge(
      { idempotencyKey: chargeKeyOf(data), orderId, amount: data.total, currency, method },
      signal,
    );
  }

  private async lookUp({ data }: Run, { signal }: CallContext): Promise<ChargeResult | undefined> {
    if (data.total === 0) return undefined;
    const request = { orderId: data.orderId, idempotencyKey: chargeKeyOf(data) };
    const found = await this.gateway.lookupCharge(request, signal);
    const isOver = data.actionDeadline !== undefined && Date.now() >= data.actionDeadline;
    // Nobody came back to authenticate: closed at the provider first, so that it cannot be captured behind our back.
    if (found?.kind === 'requires_action' && isOver)
      return this.gateway.cancelCharge({ ...request, transactionId: found.transactionId }, signal);
    return found;
  }

  private async doubt(tx: Tx, batch: readonly Run[]): Promise<void> {
    const landed = await this.payments.move(
      tx,
      'IN_DOUBT',
      batch.map(({ data }) => ({ orderId: data.orderId })),
    );
    for (const run of batch) if (landed.has(run.data.orderId)) run.tell('payment.in-doubt');
  }

  private record(tx: Tx, answers: readonly Answer[]): Promise<void> {
    const captured = answers.filter(({ result }) => result.kind === 'captured');
    const declined = answers.filter(({ result }) => result.kind === 'declined');
    const waiting = answers.filter(({ result }) => result.kind === 'requires_action' || result.kind === 'processing');
    this.payments.settle(tx, 'CAPTURED', captured.map(moveOf));
    this.payments.settle(tx, 'DECLINED', declined.map(moveOf));
    if (waiting.length > 0) this.wait(tx, waiting);
    for (const { run, result } of answers) run.update({ charge: result });
    for (const { run, result } of declined) {
      const { declineCode } = result as ChargeResult & { kind: 'declined' };
      run.fail({ code: 'PAYMENT_DECLINED', detail: 'The payment was declined', details: { declineCode } });
    }
    this.tell(tx, [...captured, ...declined]);
    return Promise.resolve();
  }

  /** The customer, or the provider, is to move next: the hold may run out meanwhile, the payment is honoured if it can be. */
  private wait(tx: Tx, answers: readonly Answer[]): void {
    const acting = answers.filter(({ result }) => result.kind === 'requires_action');
    this.payments.settle(tx, 'REQUIRES_ACTION', acting.map(moveOf));
    this.reservations.unpin(
      tx,
      answers.map(({ run }) => run.data.reservationId),
    );
    for (const { run, result } of answers) {
      const deadline = run.data.actionDeadline ?? Date.now() + this.config.payment.actionTimeoutSeconds * 1_000;
      run.update({ actionDeadline: deadline });
      run.suspend(result.kind === 'requires_action' ? Math.max(1_000, deadline - Date.now()) : PROCESSING_POLL_MS);
    }
    for (const { run } of acting) run.tell('payment.requires-action');
  }

  private tell(tx: Tx, answers: readonly Answer[]): void {
    const events = answers.map(({ run, result }) => {
      const { orderId, paymentId, total: amount, currency } = run.data;
      const type = result.kind === 'captured' ? ('payment.captured' as const) : ('payment.declined' as const);
      const known = result.kind === 'declined' ? { declineCode: result.declineCode } : {};
      const detail = { paymentId, amount, currency, transactionId: result.transactionId, ...known };
      run.tell(type, detail);
      return { type, subject: orderId, payload: { orderId, ...detail } };
    });
    this.outbox.append(tx, events);
  }
}

function moveOf({ run, result }: Answer) {
  return {
    orderId: run.data.orderId,
    transactionId: result.transactionId ?? null,
    declineCode: result.kind === 'declined' ? result.declineCode : null,
    nextAction: result.kind === 'requires_action' ? result.nextAction : null,
  };
}
