import { Inject, Injectable } from '@nestjs/common';
import { newId } from '../../common/id.js';
import { amountDue, totalsOf } from '../../common/totals.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { customerKeyOf } from '../../balance/allowance.js';
import { AllowanceExceededError } from '../../inventory/reservation/reservation.errors.js';
import type { HoldVerdict } from '../../inventory/reservation/reservation.js';
import { HoldPolicies } from '../../inventory/reservation/hold-policy.js';
import { ReservationRepository } from '../../inventory/reservation/reservation.repository.js';
import { CreditRepository } from '../../credit/credit.repository.js';
import { OrderRepository } from '../../orders/order.repository.js';
import type { LocalAction, SagaStep } from '../../saga/saga-definition.js';
import type { SagaFailure } from '../../saga/saga.errors.js';
import type { StepContext } from '../../saga/step-context.js';
import { CheckoutData, CheckoutOutcome, claimsOf, isPinned, isPlain, pricedOf } from '../checkout-data.js';
import { LOCAL_RETRY } from '../../orders/retry-policies.js';

type Run = StepContext<CheckoutData>;

/**
 * The pivot: takes the stock and confirms the order. A hold that expired during the payment is acquired again if
 * possible.
 */
@Injectable()
export class ConfirmOrderStep implements SagaStep<CheckoutData> {
  readonly name = 'confirm-order';
  readonly retry = LOCAL_RETRY;
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<CheckoutData> = { kind: 'local', run: (tx, batch) => this.confirm(tx, batch) };

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly reservations: ReservationRepository,
    private readonly orders: OrderRepository,
    private readonly credit: CreditRepository,
    private readonly outbox: OutboxRepository,
    private readonly policies: HoldPolicies,
  ) {}

  private async confirm(tx: Tx, batch: readonly Run[]): Promise<void> {
    const at = new Date();
    this.reservations.commitPinned(
      tx,
      batch.flatMap(({ data }) => {
        const { reservationId, lines } = data;
        return isPinned(data) ? [{ reservationId, lines, claims: claimsOf(data) }] : [];
      }),
    );
    const unpinned = batch.filter(({ data }) => !isPinned(data));
    if (unpinned.length > 0) await this.commitLate(tx, unpinned);
    const confirmed = batch.filter((run) => !run.hasVerdict);
    this.orders.confirm(
      tx,
      confirmed.map(({ data }) => data.orderId),
      at,
    );
    const credit = confirmed.flatMap(creditOf);
    if (credit.length > 0) this.credit.take(tx, credit);
    for (const run of confirmed) {
      const outcome: CheckoutOutcome = { kind: 'confirmed', at: at.toISOString() };
      run.conclude(outcome);
      run.note('order.confirmed');
    }
    this.outbox.append(
      tx,
      confirmed.map(({ data }) => ({
        type: 'order.confirmed',
        subject: data.orderId,
        payload: {
          orderId: data.orderId,
          total: data.total,
          ...(!isPlain(data) && { totals: totalsOf(pricedOf(data)), amountDue: amountDue(data) }),
          currency: data.currency,
          customer: data.customer,
          lines: data.lines,
        },
      })),
    );
  }

  /** Holds that were unpinned while the customer or the provider had to act: some of them may have expired. */
  private async commitLate(tx: Tx, batch: readonly Run[]): Promise<void> {
    const taken = await this.reservations.commit(
      tx,
      batch.map(({ data }) => data.reservationId),
    );
    const expired = batch.filter(({ data }) => !taken.has(data.reservationId));
    if (expired.length > 0) await this.reacquire(tx, expired);
  }

  /** A payment that lands after its hold expired is honoured while stock remains; otherwise it is paid back. */
  private async reacquire(tx: Tx, batch: readonly Run[]): Promise<void> {
    const requests = batch.map(({ data }) => ({
      reservationId: newId(),
      currency: data.currency,
      alternatives: [{ lines: data.lines, terms: data.terms }],
      customer: customerKeyOf(data.customer),
      ttlSeconds: this.config.reservation.ttlSeconds,
      orderId: data.orderId,
      pinnedBy: data.sagaId,
    }));
    const verdicts = await this.reservations.hold(tx, requests);
    const granted: string[] = [];
    const moves: { from: string; to: string }[] = [];
    verdicts.forEach((verdict, index) => {
      const run = batch[index];
      const request = requests[index];
      if (!run || !request) return;
      if (verdict.kind !== 'granted') return run.fail(tooLate(verdict));
      moves.push({ from: run.data.reservationId, to: request.reservationId });
      run.update({ reservationId: request.reservationId, expiresAt: verdict.expiresAt.toISOString() });
      granted.push(request.reservationId);
    });
    await this.reservations.commit(tx, granted);
    this.policies.move(tx, moves);
    const reheld = batch.filter((run) => !run.hasVerdict);
    this.orders.rehold(
      tx,
      reheld.map(({ data }) => data),
    );
    for (const run of reheld) run.note('reservation.reacquired', { reservationId: run.data.reservationId });
  }
}

function tooLate(verdict: Exclude<HoldVerdict, { kind: 'granted' }>): SagaFailure {
  if (verdict.kind === 'short') {
    const detail = 'The reservation expired before the payment arrived, and the stock is gone';
    return { code: 'OUT_OF_STOCK', detail, details: { shortages: verdict.shortages } };
  }
  const { code, message, details } = new AllowanceExceededError(verdict.allowance);
  return { code, detail: `The reservation expired before the payment arrived. ${message}`, details };
}

function creditOf({ data: { orderId, credit = [] } }: Run) {
  return credit.flatMap(({ accountId, amount }) => (amount > 0 ? [{ orderId, accountId, amount }] : []));
}
