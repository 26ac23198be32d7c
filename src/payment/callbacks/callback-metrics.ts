import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../../platform/metrics/metrics.js';

type Outcome = 'received' | 'duplicate' | 'refused' | 'processed' | 'postponed' | 'dead';

@Injectable()
export class CallbackMetrics {
  private readonly events: Counter<'provider' | 'outcome'>;

  constructor(metrics: Metrics) {
    this.events = metrics.counter('webhook_events_total', 'Callbacks of payment providers, by what became of them', [
      'provider',
      'outcome',
    ]);
  }

  count(provider: string, outcome: Outcome): void {
    this.events.inc({ provider, outcome });
  }
}
