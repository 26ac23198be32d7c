import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { Loops } from '../../platform/loops/loops.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { SagaEngine } from '../../saga/engine/saga-engine.service.js';
import { CounterReader } from './counter-reader.js';
import { type InstanceSample, isQuiet, NO_COUNTS, type Reading, sampleOf } from './instance-sample.js';
import { OverviewRepository } from './overview.repository.js';

const EVERY_MS = 5_000;
/** How often an idle instance stores a sample: an idle service should leave its database alone. */
const QUIET_MS = 60_000;
const HOUR_SECONDS = 3_600;
const PURGE_BATCH = 5_000;

const NOTHING: Reading = { checkouts: {}, durations: NO_COUNTS, lockWaits: NO_COUNTS, lockTimeouts: 0 };

/** Stores the counts of this instance for the last seconds, so that any instance can show those of all. */
@Injectable()
export class InstanceSamplerJob {
  private before: Reading = NOTHING;
  private beforeAt = performance.now();
  private last: InstanceSample | undefined;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly counters: CounterReader,
    private readonly engine: SagaEngine,
    private readonly samples: OverviewRepository,
    loops: Loops,
  ) {
    loops.schedule({
      name: 'instance-samples',
      pace: { firstMs: EVERY_MS, minMs: EVERY_MS, maxMs: EVERY_MS },
      round: () => this.sample(),
    });
    loops.schedulePurge({
      name: 'instance-sample-purge',
      batch: PURGE_BATCH,
      purge: () => this.samples.purge(this.transactions, config.retention.sampleHours * HOUR_SECONDS, PURGE_BATCH),
    });
  }

  /** If a sample cannot be stored, its counts become part of the next one. */
  private async sample(): Promise<void> {
    const now = await this.counters.read();
    const at = performance.now();
    const inHand = { inFlight: this.engine.activeRuns.length, breaker: await this.counters.breaker() };
    const sample = sampleOf(this.before, now, inHand);
    const isNews = !isQuiet(sample) || sample.breaker !== this.last?.breaker || !isQuiet(this.last);
    if (!isNews && at - this.beforeAt < QUIET_MS) return;
    await this.samples.store(this.transactions, this.config.instanceId, (at - this.beforeAt) / 1_000, sample);
    this.before = now;
    this.beforeAt = at;
    this.last = sample;
  }
}
