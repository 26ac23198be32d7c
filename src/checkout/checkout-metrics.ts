import { Injectable } from '@nestjs/common';
import { Metrics } from '../platform/metrics/metrics.js';
import type { SagaSnapshot } from '../saga/step-context.js';
import type { CheckoutData, CheckoutOutcome } from './checkout-data.js';

/**
 * Counted by the instance whose write ended the saga: the epoch lets only one write it, so no order counts twice. A
 * crash between that commit and the count loses it; `orders_by_state`, read from the database, never does.
 */
@Injectable()
export class CheckoutMetrics {
  private readonly ended;
  private readonly durations;

  constructor(metrics: Metrics) {
    this.ended = metrics.counter('checkouts_total', 'Checkouts that ended, by what they came to', ['outcome']);
    this.durations = metrics.histogram('checkout_duration_seconds', 'From the request to the end of its saga', [
      'outcome',
    ]);
    for (const outcome of ['confirmed', 'declined', 'out_of_stock']) this.ended.inc({ outcome }, 0);
  }

  count(saga: SagaSnapshot<CheckoutData>): void {
    const ended = saga.outcome as CheckoutOutcome | null;
    if (!ended) return;
    // `confirmed`, `declined`, or the error code in lower case.
    const code = ended.kind === 'confirmed' ? 'confirmed' : ended.failure.code.toLowerCase();
    const outcome = code === 'payment_declined' ? 'declined' : code;
    this.ended.inc({ outcome });
    this.durations.observe({ outcome }, Math.max(0, Date.now() - Date.parse(saga.data.createdAt)) / 1_000);
  }
}
