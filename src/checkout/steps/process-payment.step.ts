import { Inject, Injectable } from '@nestjs/common';
import { amountDue } from '../../common/totals.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { ReservationHandoverRepository } from '../../inventory/reservation/reservation-handover.repository.js';
import { ReservationRepository } from '../../inventory/reservation/reservation.repository.js';
import { PAYMENT_LOCK, paymentKey } from '../../lock/lock-keys.js';
import { type ChargeResult, GatewayRequestError, GatewayUnknownError } from '../../payment/gateway/payment-gateway.js';
import { NO_METHOD, PaymentRepository } from '../../payment/payment.repository.js';
import { CallContext, Called, remote, RemoteAction, SagaStep } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import { CheckoutData, chargeKeyOf } from '../checkout-data.js';
import { LostCharge, OrderCharge } from './order-charge.js';
import { paymentEvent } from './payment-event.js';
import { RefundCharge } from './refund-charge.js';
import { CHARGE_RETRY } from '../../orders/retry-policies.js';

type Run = StepContext<CheckoutData>;
type Answer = Called<CheckoutData, ChargeResult>;

/** A charge that is processed for days is asked about less and less often: its callback is quicker anyway. */
const POLL = { minMs: 30_000, maxMs: 3_600_000, shareOfAge: 1 / 20 };
/** The saga looks at the deadline, and its look takes a while. */
const HOLD_GRACE_SECONDS = 30;
/** Of the call's time: what is left is for noticing that nobody answers. */
const ASKING_SHARE = 0.8;

/** Charges the order once: intent first, then the call under the order's lock, then what the provider said. */
@Injectable()
export class ProcessPaymentStep implements SagaStep<CheckoutData> {
  readonly name = 'process-payment';
  readonly retry = CHARGE_RETRY;
  readonly timeoutMs: number;
  readonly execute: RemoteAction<CheckoutData> = remote<CheckoutData, ChargeResult | LostCharge>({
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
    private readonly charges: OrderCharge,
    private readonly payments: PaymentRepository,
    private readonly reservations: ReservationRepository,
    private readonly handovers: ReservationHandoverRepository,
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
        provider: this.charges.provider,
        amount: amountDue(data),
        currency: data.currency,
        method: data.method ?? NO_METHOD,
        idempotencyKey: chargeKeyOf(data),
      })),
    );
    return Promise.resolve();
  }

  private charge({ data }: Run, { signal }: CallContext): Promise<ChargeResult> {
    // Providers refuse to move nothing.
    if (amountDue(data) === 0) return Promise.resolve({ kind: 'captured', transactionId: 'free-of-charge' });
    if (data.charge?.transactionId) throw new Error('the order has a charge: it is asked about, never charged again');
    return this.charges.make(data, signal);
  }

  /** Undefined only where charging, or charging again, is certainly the first time. */
  private async lookUp({ data }: Run, { signal }: CallContext): Promise<ChargeResult | LostCharge | undefined> {
    if (amountDue(data) === 0) return undefined;
    if (data.charge) return this.askAgain(data, data.charge, signal);
    const found = await this.charges.find(data, signal);
    if (found.kind !== 'none') return found;
    return found.isKeyRemembered ? undefined : FORGOTTEN;
  }

  /**
   * The provider has the charge and somebody is to act on it. That it cannot be asked right now changes nothing: the saga
   * waits on, and does not give up a payment that may take days because of one bad minute.
   */
  private async askAgain(
    data: CheckoutData,
    last: ChargeResult,
    signal: AbortSignal,
  ): Promise<ChargeResult | LostCharge | undefined> {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(this.timeoutMs * ASKING_SHARE)]);
    try {
      const found = await this.charges.find(data, inTime);
      // Nobody came back to authenticate: closed at the provider first, so that it cannot be captured behind our back.
      if (found.kind === 'requires_action' && isOver(data))
        return (await this.charges.cancel(data, found.transactionId, inTime)).result;
      return found.kind === 'none' ? FORGOTTEN : found;
    } catch (error) {
      const isProviderAway = error instanceof GatewayUnknownError || error instanceof GatewayRequestError;
      if (!isProviderAway || signal.aborted) throw error;
      return last;
    }
  }

  private async doubt(tx: Tx, batch: readonly Run[]): Promise<void> {
    const landed = await this.payments.move(
      tx,
      'IN_DOUBT',
      batch.map(({ data }) => ({ orderId: data.orderId })),
    );
    for (const run of batch) {
      if (!landed.has(run.data.orderId)) continue;
      run.note('payment.in-doubt');
      run.update({ isInDoubt: true });
    }
  }

  private async record(tx: Tx, answers: readonly Called<CheckoutData, ChargeResult | LostCharge>[]): Promise<void> {
    const known = answers.filter((answer): answer is Answer => answer.result.kind !== 'lost');
    const captured = known.filter(({ result }) => result.kind === 'captured');
    const authorized = known.filter(({ result }) => result.kind === 'authorized');
    const declined = known.filter(({ result }) => result.kind === 'declined');
    const waiting = known.filter(({ result }) => result.kind === 'requires_action' || result.kind === 'processing');
    this.payments.settle(tx, 'CAPTURED', captured.map(moveOf));
    this.payments.settle(tx, 'DECLINED', declined.map(moveOf));
    if (waiting.length > 0) await this.wait(tx, waiting);
    for (const { run, result } of known)
      run.update(run.data.isInDoubt ? { charge: result, isInDoubt: false } : { charge: result });
    if (authorized.length > 0) this.authorize(tx, authorized);
    for (const { run, result } of declined) {
      const { declineCode } = result as ChargeResult & { kind: 'declined' };
      run.fail({ code: 'PAYMENT_DECLINED', detail: 'The payment was declined', details: { declineCode } });
    }
    this.outbox.append(
      tx,
      [...captured, ...authorized, ...declined].map(({ run }) => paymentEvent(run)),
    );
    const lost = answers.filter(({ result }) => result.kind === 'lost');
    if (lost.length > 0) await this.leaveToOperator(tx, lost);
  }

  private authorize(tx: Tx, answers: readonly Answer[]): void {
    const known = answers.flatMap(({ run, result }) => {
      if (result.kind !== 'authorized') return [];
      const { transactionId, until } = this.charges.authorized(result);
      run.update({ charge: { kind: 'authorized', transactionId, authorizedUntil: until } });
      return [{ orderId: run.data.orderId, transactionId, until }];
    });
    this.payments.authorize(tx, known);
  }

  /** A person may take days: the hold may run out meanwhile, as while the customer is to move. */
  private async leaveToOperator(
    tx: Tx,
    answers: readonly Called<CheckoutData, ChargeResult | LostCharge>[],
  ): Promise<void> {
    const runs = answers.map(({ run }) => run);
    await this.doubt(tx, runs);
    this.letGo(tx, runs);
    for (const { run, result } of answers) if (result.kind === 'lost') run.stick(result.reason);
  }

  /**
   * The hold lasts as long as the authentication may take, and no longer: whoever does not come back keeps nobody from
   * buying. Its own end comes back into force when the payment fails, or else a card that always asks would extend any hold.
   */
  private async prolong(tx: Tx, runs: readonly Run[]): Promise<void> {
    const ends = await this.handovers.prolong(
      tx,
      runs.map(({ data }) => {
        const leftMs = Math.max(0, (data.actionDeadline ?? 0) - Date.now());
        return { reservationId: data.reservationId, seconds: leftMs / 1_000 + HOLD_GRACE_SECONDS };
      }),
    );
    for (const run of runs) {
      const end = ends.get(run.data.reservationId);
      if (end) run.update({ ownEnd: run.data.ownEnd ?? run.data.expiresAt, expiresAt: end.toISOString() });
    }
  }

  /** Whoever is to move next, the stock is not kept for that: a payment that comes after its hold is honoured if it can be. */
  private letGo(tx: Tx, runs: readonly Run[]): void {
    this.reservations.unpin(
      tx,
      runs.map(({ data }) => data.reservationId),
    );
    for (const run of runs) {
      const deadline = run.data.actionDeadline ?? Date.now() + this.config.payment.actionTimeoutSeconds * 1_000;
      run.update({ actionDeadline: deadline });
    }
  }

  /** The customer, or the provider, is to move next. */
  private async wait(tx: Tx, answers: readonly Answer[]): Promise<void> {
    const acting = answers.filter(({ result }) => result.kind === 'requires_action');
    this.payments.settle(tx, 'REQUIRES_ACTION', acting.map(moveOf));
    const named = answers.flatMap(({ run, result: { transactionId } }) =>
      transactionId === undefined ? [] : [{ orderId: run.data.orderId, transactionId }],
    );
    await this.payments.noteTransaction(tx, named);
    this.letGo(
      tx,
      answers.map(({ run }) => run),
    );
    await this.prolong(
      tx,
      acting.map(({ run }) => run),
    );
    for (const { run, result } of answers) {
      const customersMs = (run.data.actionDeadline ?? 0) - Date.now();
      const isCustomers = result.kind === 'requires_action' && customersMs > 0;
      run.suspend(isCustomers ? Math.max(1_000, customersMs) : pollMs(run.data));
    }
    for (const { run } of acting) if (run.data.charge?.kind !== 'requires_action') run.note('payment.requires-action');
  }
}

const FORGOTTEN: LostCharge = {
  kind: 'lost',
  reason:
    'nobody knows whether the order was charged: the provider has no charge of it, and has forgotten the key by now. ' +
    'Look there: retry once it shows the charge, compensate if there is none',
};

function isOver({ actionDeadline }: CheckoutData): boolean {
  return actionDeadline !== undefined && Date.now() >= actionDeadline;
}

function pollMs({ createdAt }: CheckoutData): number {
  const ageMs = Date.now() - Date.parse(createdAt);
  return Math.min(POLL.maxMs, Math.max(POLL.minMs, ageMs * POLL.shareOfAge));
}

function moveOf({ run, result }: Answer) {
  return {
    orderId: run.data.orderId,
    transactionId: result.transactionId ?? null,
    declineCode: result.kind === 'declined' ? result.declineCode : null,
    nextAction: result.kind === 'requires_action' ? result.nextAction : null,
  };
}
