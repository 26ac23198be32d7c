import { Inject, Injectable, OnApplicationBootstrap, OnModuleDestroy, Optional } from '@nestjs/common';
import { sleep } from '../../common/backoff.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Loop } from '../../platform/loops/loop.js';
import { Loops } from '../../platform/loops/loops.js';
import { DatabaseAvailability } from '../../platform/postgres/database-availability.js';
import { Draining } from '../../platform/shutdown/draining.js';
import { type CommandMessage, STREAM_BROKER, type StreamBroker } from '../../platform/stream/stream-broker.js';
import { CommandHandler } from './command-handler.service.js';
import { CommandMetrics } from './command-metrics.js';

const PACE = { minMs: 1, maxMs: 5_000 };
/** Also how long a stop waits for the pull under way: what the broker has sent must not wait for its redelivery. */
const PULL_MS = 1_000;
const PAUSE_MS = 250;
/** A pull is worth it once this share of the places is free. */
const REFILL_SHARE = 0.25;
const FINISH_WITHIN_MS = 2_000;

/**
 * Pulls commands, at most as many as may be under way at once. It stops pulling as soon as the instance begins to drain, and
 * while the database is away: what it does not take, another instance can.
 */
@Injectable()
export class CommandConsumerJob implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly underWay = new Set<Promise<void>>();
  private readonly abandoning = new AbortController();
  private readonly loop: Loop | undefined;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly handler: CommandHandler,
    private readonly metrics: CommandMetrics,
    private readonly availability: DatabaseAvailability,
    private readonly draining: Draining,
    loops: Loops,
    @Optional() @Inject(STREAM_BROKER) broker?: StreamBroker,
  ) {
    if (broker) this.loop = loops.create({ name: 'stream-commands', pace: PACE, round: () => this.pull(broker) });
  }

  onApplicationBootstrap(): void {
    this.loop?.start();
  }

  /** Before anything else stops: what is under way still needs the engine. What does not end in time is returned. */
  async onModuleDestroy(): Promise<void> {
    await this.loop?.stop();
    const finished = new AbortController();
    const withinMs = Math.min(FINISH_WITHIN_MS, this.config.http.shutdownGraceMs);
    await Promise.race([Promise.all(this.underWay), sleep(withinMs, finished.signal)]);
    finished.abort();
    this.abandoning.abort();
  }

  private async pull(broker: StreamBroker): Promise<number> {
    if (this.draining.hasBegun || this.availability.isRefusing) return PAUSE_MS;
    const { maxInFlight } = this.config.stream;
    const limit = maxInFlight - this.underWay.size;
    if (limit < Math.max(1, maxInFlight * REFILL_SHARE)) {
      await Promise.race([...this.underWay, sleep(PAUSE_MS)]);
      return 0;
    }
    await broker.receive({ limit, waitMs: PULL_MS }, (message) => this.take(message));
    return 0;
  }

  private take(message: CommandMessage): void {
    const work = this.handler.handle(message, this.abandoning.signal).finally(() => {
      this.underWay.delete(work);
      this.metrics.setInFlight(this.underWay.size);
    });
    this.underWay.add(work);
    this.metrics.setInFlight(this.underWay.size);
  }
}
