import { Inject, Injectable } from '@nestjs/common';
import { newId } from '../../common/id.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { HoldPolicies } from '../../inventory/reservation/hold-policy.js';
import { ReservationRepository } from '../../inventory/reservation/reservation.repository.js';
import { OrderRepository } from '../../orders/order.repository.js';
import type { LocalAction, SagaStep } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import { CheckoutData, CheckoutOutcome, isPinned } from '../checkout-data.js';
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
    private readonly outbox: OutboxRepository,
    private readonly policies: HoldPolicies,
  ) {}

  private async confirm(tx: Tx, batch: readonly Run[]): Promise<void> {
    const at = new Date();
    this.reservations.commitPinned(
      tx,
      batch.filter(({ data }) => isPinned(data)).map(({ data }) => data),
    );
    const unpinned = batch.filter(({ data }) => !isPinned(data));
    if (unpinned.length > 0) await this.commitLate(tx, unpinned);
    const confirmed = batch.filter((run) => !run.hasVerdict);
    this.orders.confirm(
      tx,
      confirmed.map(({ data }) => data.orderId),
      at,
    );
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
      alternatives: [data.lines],
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
      if (verdict.kind === 'short') {
        return run.fail({
          code: 'OUT_OF_STOCK',
          detail: 'The reservation expired before the payment arrived, and the stock is gone',
          details: { shortages: verdict.shortages },
        });
      }
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
