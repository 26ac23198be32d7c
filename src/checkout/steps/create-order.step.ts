import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/postgres/tx.js';
import { IdempotencyRepository } from '../../platform/idempotency/idempotency.repository.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import type { OrderRejection } from '../../orders/order.entity.js';
import { OrderRepository } from '../../orders/order.repository.js';
import type { LocalAction, SagaStep, Stage } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import type { SagaFailure } from '../../saga/saga.errors.js';
import { CheckoutData, CheckoutOutcome } from '../checkout-data.js';
import { claimKeys } from '../../orders/claim-keys.js';
import { LOCAL_RETRY } from '../../orders/retry-policies.js';

/** The checkout began with cached prices and without a look at its key, and some of it may no longer be true. */
export class OutdatedIntakeError extends Error {}

/** Claims the Idempotency-Key and writes the order with its frozen prices; compensated by rejecting the order. */
@Injectable()
export class CreateOrderStep implements SagaStep<CheckoutData> {
  readonly name = 'create-order';
  readonly retry = LOCAL_RETRY;
  readonly timeoutMs = 5_000;
  readonly execute: LocalAction<CheckoutData> = {
    kind: 'local',
    run: (tx, batch, stage) => this.create(tx, batch, stage),
  };
  readonly compensate: LocalAction<CheckoutData> = { kind: 'local', run: (tx, batch) => this.reject(tx, batch) };

  constructor(
    private readonly keys: IdempotencyRepository,
    private readonly orders: OrderRepository,
    private readonly outbox: OutboxRepository,
  ) {}

  private async create(tx: Tx, batch: readonly StepContext<CheckoutData>[], stage: Stage): Promise<void> {
    // Before they are claimed: from then on the sagas carry their keys no more.
    const digests = new Map(batch.map(({ data }) => [data.orderId, data.key?.digest]));
    const known = stage.isOptimistic ? batch : batch.filter(abandonCached);
    const claimed = known.length === 0 ? [] : await claimKeys(this.keys, tx, known, stage);
    if (claimed.length === 0) return;
    this.orders.insert(
      tx,
      claimed.map(({ data }) => ({
        id: data.orderId,
        sagaId: data.sagaId,
        reservationId: data.reservationId,
        currency: data.currency,
        total: data.total,
        lines: data.lines,
        customerId: data.customer.id ?? null,
        customerEmail: data.customer.email ?? null,
        metadata: data.metadata,
        idempotencyDigest: digests.get(data.orderId) ?? null,
        createdAt: data.createdAt,
      })),
    );
    for (const run of claimed) run.note('order.created', { total: run.data.total, currency: run.data.currency });
  }

  private async reject(tx: Tx, batch: readonly StepContext<CheckoutData>[]): Promise<void> {
    const at = new Date();
    const refusals = batch.map((run) => {
      const failure = withKeptHold(run);
      const outcome: CheckoutOutcome = { kind: 'rejected', at: at.toISOString(), failure };
      run.conclude(outcome);
      run.note('order.rejected', { code: failure.code, detail: failure.detail });
      const { orderId: id, keptHold, isAdopted } = run.data;
      const rejection = rejectionOf(failure);
      // Who reads the order later needs the token of a hold that the checkout made itself; the stored one has none.
      return { id, rejection, stored: keptHold && !isAdopted ? { ...rejection, isHoldNew: true } : rejection };
    });
    const landed = await this.orders.reject(
      tx,
      refusals.map(({ id, stored }) => ({ id, rejection: stored })),
      at,
    );
    const told = refusals.filter(({ id }) => landed.has(id));
    this.outbox.append(
      tx,
      told.map(({ id, rejection }) => ({ type: 'order.rejected', subject: id, payload: { orderId: id, rejection } })),
    );
  }
}

/** The problem says which hold is left, so that another card can buy it. */
function withKeptHold({ data: { keptHold }, failure }: StepContext<CheckoutData>): SagaFailure {
  const known = failure ?? { code: 'INTERNAL_ERROR' as const, detail: 'The checkout could not be completed' };
  return keptHold ? { ...known, details: { ...known.details, reservation: keptHold } } : known;
}

/** With everything that the refused request was answered: whoever reads the order later must not know less. */
function rejectionOf({ code, detail, details }: SagaFailure): OrderRejection {
  return { ...details, code, detail };
}

/** The optimistic attempt failed. Checkouts that used cached prices are retried with a fresh look-up. */
function abandonCached(run: StepContext<CheckoutData>): boolean {
  if (!run.data.versions) return true;
  run.abandon(new OutdatedIntakeError('the cached catalogue is out of date'));
  return false;
}
