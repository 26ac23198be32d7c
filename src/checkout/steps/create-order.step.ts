import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/postgres/tx.js';
import { IdempotencyRepository } from '../../platform/idempotency/idempotency.repository.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import type { OrderRejection } from '../../orders/order.entity.js';
import { OrderRepository } from '../../orders/order.repository.js';
import type { LocalAction, SagaStep, Stage } from '../../saga/saga-definition.js';
import type { StepContext } from '../../saga/step-context.js';
import type { SagaFailure } from '../../saga/saga.errors.js';
import { CheckoutData, CheckoutOutcome, isPlain } from '../checkout-data.js';
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
        discounts: data.terms && data.terms.discounts.length > 0 ? data.terms.discounts : null,
        hasClaims: isPlain(data) ? null : true,
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
    const failures = new Map(batch.map((run) => [run.data.orderId, withKeptHold(run)]));
    const landed = await this.orders.reject(
      tx,
      batch.map(({ data }) => storedRejection(data, failures.get(data.orderId) ?? UNEXPLAINED)),
      at,
    );
    for (const run of batch) {
      const { orderId } = run.data;
      const failure = failures.get(orderId) ?? UNEXPLAINED;
      if (!landed.has(orderId)) {
        run.stick('the order is not PENDING any more and cannot be rejected');
        continue;
      }
      const outcome: CheckoutOutcome = { kind: 'rejected', at: at.toISOString(), failure };
      run.conclude(outcome);
      run.note('order.rejected', { code: failure.code, detail: failure.detail });
      const payload = { orderId, rejection: rejectionOf(failure) };
      this.outbox.append(tx, [{ type: 'order.rejected', subject: orderId, payload }]);
    }
  }
}

const UNEXPLAINED: SagaFailure = { code: 'INTERNAL_ERROR', detail: 'The checkout could not be completed' };

/** Who reads the order later needs the token of a hold that the checkout made itself; the stored rejection has none. */
function storedRejection({ orderId: id, keptHold, isAdopted }: CheckoutData, failure: SagaFailure) {
  const rejection = rejectionOf(failure);
  return { id, rejection: keptHold && !isAdopted ? { ...rejection, isHoldNew: true } : rejection };
}

/** The problem says which hold is left, so that another card can buy it. */
function withKeptHold({ data: { keptHold }, failure }: StepContext<CheckoutData>): SagaFailure {
  const known = failure ?? UNEXPLAINED;
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
