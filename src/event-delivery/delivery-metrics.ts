import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { WebhookDeliveryRepository } from './webhook-delivery.repository.js';

export type AttemptOutcome = 'delivered' | 'retried' | 'dead';

@Injectable()
export class DeliveryMetrics {
  private readonly attempts: Counter<'outcome'>;
  private readonly seconds: Histogram;

  constructor(transactions: TransactionRunner, deliveries: WebhookDeliveryRepository, metrics: Metrics) {
    this.attempts = metrics.counter('webhook_attempts_total', 'Attempts to deliver a webhook', ['outcome']);
    this.seconds = metrics.histogram('webhook_attempt_seconds', 'How long an endpoint took to answer');
    const backlog = () => deliveries.backlog(transactions);
    metrics.gauge('webhook_deliveries_open', 'Deliveries that have not ended yet', [], async (gauge) => {
      gauge.set((await backlog()).open);
    });
    metrics.gauge(
      'webhook_deliveries_dead',
      'Deliveries given up, until they are replayed or purged',
      [],
      async (gauge) => {
        gauge.set((await backlog()).dead);
      },
    );
    metrics.gauge('webhook_lag_seconds', 'Age of the oldest delivery that has not ended', [], async (gauge) => {
      gauge.set((await backlog()).lagSeconds);
    });
  }

  attempted(outcome: AttemptOutcome, ms: number): void {
    this.attempts.inc({ outcome });
    this.seconds.observe(ms / 1_000);
  }
}
