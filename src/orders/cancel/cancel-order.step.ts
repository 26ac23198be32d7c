import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/postgres/tx.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { CreditRepository } from '../../credit/credit.repository.js';
import { ReservationClaimsRepository } from '../../inventory/reservation/reservation-claims.repository.js';
import { OrderRepository } from '../order.repository.js';
import { AuthorizationRepository } from '../../payment/authorization.repository.js';
import { capturedOf } from '../../payment/captured.js';
import { PaymentRepository } from '../../payment/payment.repository.js';
import type { LocalAction, RetryPolicy, SagaStep } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import type { CancellationData } from './begin-cancellation.step.js';

/**
 * Ends the order, once everything that was captured is paid back: also refunds that were under way before us. Credit, coupons
 * and limits go back with it.
 */
@Injectable()
export class CancelOrderStep implements SagaStep<CancellationData> {
  readonly name = 'cancel-order';
  readonly retry: RetryPolicy = { maxAttempts: 60, baseMs: 100, capMs: 5_000 };
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<CancellationData> = { kind: 'local', run: (tx, batch) => this.cancel(tx, batch) };

  constructor(
    private readonly orders: OrderRepository,
    private readonly payments: PaymentRepository,
    private readonly authorizations: AuthorizationRepository,
    private readonly claims: ReservationClaimsRepository,
    private readonly credit: CreditRepository,
    private readonly outbox: OutboxRepository,
  ) {}

  private async cancel(tx: Tx, batch: readonly StepContext<CancellationData>[]): Promise<void> {
    const payments = await this.payments.ofOrders(
      tx,
      batch.map(({ data }) => data.orderId),
    );
    for (const run of batch) {
      const payment = payments.get(run.data.orderId);
      if (payment?.state === 'AUTHORIZED') run.retry('the payment is still authorised');
      else if (payment && capturedOf(payment) > payment.refundedAmount + payment.creditedAmount)
        run.retry('another refund of this order is still under way');
    }
    const ready = batch.filter((run) => !run.hasVerdict);
    if (ready.length === 0) return;
    // Payments before orders, as everywhere.
    const orderIds = ready.map(({ data }) => data.orderId);
    this.authorizations.forget(
      tx,
      orderIds.filter((orderId) => payments.get(orderId)?.authorizedUntil),
    );
    const landed = await this.orders.cancel(tx, orderIds);
    await this.giveBack(
      tx,
      ready.filter(({ data }) => landed.has(data.orderId)),
    );
    for (const run of ready) {
      if (landed.has(run.data.orderId)) run.note('order.cancelled');
      else run.stick('the order is not CONFIRMED any more and cannot be cancelled');
    }
    this.outbox.append(
      tx,
      [...landed].map((orderId) => ({ type: 'order.cancelled', subject: orderId, payload: { orderId } })),
    );
  }

  private async giveBack(tx: Tx, cancelled: readonly StepContext<CancellationData>[]): Promise<void> {
    if (cancelled.length === 0) return;
    const entry = { reason: 'the order was cancelled', actor: 'cancellation' };
    const orders = new Map(cancelled.map(({ data }) => [data.orderId, { refundId: data.refundId, ...entry }]));
    await this.claims.giveBack(tx, [...orders.keys()]);
    await this.credit.giveBack(tx, orders);
  }
}
