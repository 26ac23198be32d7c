import { Injectable } from '@nestjs/common';
import { LATENCY_BUCKETS, Metrics } from '../../platform/metrics/metrics.js';
import { type BreakerView, NO_COUNTS, type Reading, sum } from './instance-sample.js';

interface Value {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  readonly metricName?: string;
}

const BREAKERS: readonly BreakerView[] = ['closed', 'returning', 'open'];

/** Reads the counters that this instance already has for Prometheus, so that nothing is counted twice. */
@Injectable()
export class CounterReader {
  constructor(private readonly metrics: Metrics) {}

  async read(): Promise<Reading> {
    const [checkouts, durations, lockWaits, lockTimeouts] = await Promise.all([
      this.values('checkouts_total'),
      this.buckets('checkout_duration_seconds'),
      this.buckets('lock_wait_seconds'),
      this.values('lock_timeouts_total'),
    ]);
    return {
      checkouts: Object.fromEntries(checkouts.map(({ labels, value }) => [String(labels['outcome']), value])),
      durations,
      lockWaits,
      lockTimeouts: sum(lockTimeouts.map(({ value }) => value)),
    };
  }

  async breaker(): Promise<BreakerView> {
    const [gauge] = await this.values('lock_breaker_state');
    return BREAKERS[gauge?.value ?? 0] ?? 'closed';
  }

  private async values(name: string): Promise<readonly Value[]> {
    const metric = this.metrics.registry.getSingleMetric(name);
    if (!metric) return [];
    return (await metric.get()).values;
  }

  /** Prometheus buckets are cumulative. Here each bucket has its own count, summed over all labels. */
  private async buckets(name: string): Promise<readonly number[]> {
    const values = (await this.values(name)).filter(({ metricName }) => metricName === `${name}_bucket`);
    const upTo = [...LATENCY_BUCKETS, '+Inf'].map((bound) =>
      sum(values.filter(({ labels }) => labels['le'] === bound).map(({ value }) => value)),
    );
    return upTo.length === 0 ? NO_COUNTS : upTo.map((count, index) => count - (upTo[index - 1] ?? 0));
  }
}
