import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { sleep } from '../../common/backoff.js';
import { messageOf } from '../../common/error-message.js';
import { Metrics } from '../metrics/metrics.js';
import { Loop, type LoopHost, type LoopSettings } from './loop.js';

/** How often old rows are looked for. */
const PURGE_EVERY_MS = 10 * 60_000;
/** A purge of millions of rows rests for so many times as long as it has worked: checkouts have the database in between. */
const PURGE_REST_FACTOR = 3;

export interface PurgeSettings {
  readonly name: string;
  readonly everyMs?: number;
  /** The number of rows that one statement deletes: after a full batch there may be more. */
  readonly batch: number;
  /** Deletes a batch, skips rows that another instance has locked, and returns the number of deleted rows. */
  readonly purge: () => Promise<number>;
}

/** Creates every recurring job of the instance, counts its rounds, and reports silent jobs to readiness and alerts. */
@Injectable()
export class Loops implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Loops.name);
  private readonly loops: Loop[] = [];
  private readonly scheduled: Loop[] = [];
  private readonly rounds;

  constructor(
    private readonly scheduler: SchedulerRegistry,
    metrics: Metrics,
  ) {
    this.rounds = metrics.counter('loop_rounds_total', 'Rounds of recurring jobs by how they ended', [
      'loop',
      'outcome',
    ]);
    const silence = metrics.gauge('loop_silent_seconds', 'Time since the last round that succeeded', ['loop']);
    metrics.onScrape(() => {
      silence.reset();
      for (const loop of this.running()) silence.set({ loop: loop.name }, loop.silentMs / 1_000);
    });
  }

  /** A loop that its owner starts, and stops at a chosen point of the shutdown. */
  create(settings: LoopSettings): Loop {
    return this.add(settings, (_, ms, signal) => sleep(ms, signal));
  }

  /** A loop that runs from the start of the application until its shutdown begins. */
  schedule(settings: LoopSettings): Loop {
    const loop = this.add(settings, (name, ms, signal) => this.registeredRest(name, ms, signal));
    this.scheduled.push(loop);
    return loop;
  }

  schedulePurge({ name, everyMs = PURGE_EVERY_MS, batch, purge }: PurgeSettings): Loop {
    return this.schedule({
      name,
      pace: { firstMs: everyMs, minMs: everyMs, maxMs: everyMs },
      deadlineMs: PURGE_EVERY_MS,
      round: async (signal) => {
        for (let isMore = true; isMore && !signal.aborted;) {
          const startedAt = performance.now();
          isMore = (await purge()) === batch;
          if (isMore) await sleep((performance.now() - startedAt) * PURGE_REST_FACTOR, signal);
        }
      },
    });
  }

  onApplicationBootstrap(): void {
    for (const loop of this.scheduled) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.scheduled.map((loop) => loop.stop()));
  }

  /** The loops that have not succeeded for longer than a healthy loop can be silent. */
  stalled(): readonly Loop[] {
    return this.running().filter((loop) => loop.isStalled);
  }

  private add(settings: LoopSettings, rest: LoopHost['rest']): Loop {
    const loop = new Loop(settings, {
      rest,
      observe: (name, outcome) => this.rounds.inc({ loop: name, outcome }),
      complain: (name, error) => this.logger.warn(`${name} will try again: ${messageOf(error)}`),
    });
    this.loops.push(loop);
    return loop;
  }

  /**
   * While the loop rests, its timer is registered under its name with Nest's scheduler, which clears it at the
   * shutdown.
   */
  private registeredRest(name: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        signal.removeEventListener('abort', end);
        if (this.scheduler.doesExist('timeout', name)) this.scheduler.deleteTimeout(name);
        resolve();
      };
      if (signal.aborted) return resolve();
      this.scheduler.addTimeout(name, setTimeout(end, ms));
      signal.addEventListener('abort', end, { once: true });
    });
  }

  private running(): readonly Loop[] {
    return this.loops.filter((loop) => loop.isRunning);
  }
}
