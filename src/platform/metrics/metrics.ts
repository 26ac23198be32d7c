import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds. */
export const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** One registry per application, so that several applications can run in one test process. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly refreshers: (() => void | Promise<void>)[] = [];

  counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  /** With `collect` the value is read at each scrape; a value that cannot be read stays as it was. */
  gauge<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    collect?: (gauge: Gauge<L>) => Promise<void>,
  ): Gauge<L> {
    const gauge: Gauge<L> = new Gauge<L>({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      ...(collect && { collect: () => collect(gauge).catch(() => undefined) }),
    });
    return gauge;
  }

  /** Seconds. */
  histogram<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Histogram<L> {
    return new Histogram({
      name,
      help,
      labelNames: [...labelNames],
      buckets: LATENCY_BUCKETS,
      registers: [this.registry],
    });
  }

  /** Sets gauges that are computed only for a scrape. Must not throw. */
  onScrape(refresh: () => void | Promise<void>): void {
    this.refreshers.push(refresh);
  }

  async render(): Promise<string> {
    await Promise.all(this.refreshers.map(async (refresh) => refresh()));
    return this.registry.metrics();
  }
}
