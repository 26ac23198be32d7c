import { performance } from 'node:perf_hooks';
import { within } from '../../common/deadline.js';
import { deferred } from '../../common/deferred.js';

export interface LoopSettings {
  /** Names the loop in metrics, alerts and readiness. */
  readonly name: string;
  readonly pace: {
    /** The rest after a round that found work. */
    readonly minMs: number;
    /** The longest rest: each idle or failed round doubles the rest up to here. */
    readonly maxMs: number;
    /** The rest before the first round; none if absent. */
    readonly firstMs?: number;
    /** For costly rounds: the loop rests at least this many times as long as the round took. */
    readonly restFactor?: number;
  };
  /** A round that takes longer is abandoned, so that a hanging call cannot stop the loop. */
  readonly deadlineMs?: number;
  /** Whether the instance cannot work without this loop. Readiness is then `down` when the loop is silent. */
  readonly isVital?: boolean;
  /**
   * May return `true` if it found work, or the milliseconds until there will be some. The signal aborts when the round
   * is abandoned or the loop stops: a long round should then end early.
   */
  readonly round: (signal: AbortSignal) => unknown;
  /** Replaces the log line. */
  readonly onError?: (error: unknown) => void;
}

export type RoundOutcome = 'done' | 'failed' | 'abandoned';

/** What a loop needs around it: a timer for its rests and a counter for its rounds. */
export interface LoopHost {
  readonly rest: (name: string, ms: number, signal: AbortSignal) => Promise<void>;
  readonly observe: (name: string, outcome: RoundOutcome) => void;
  readonly complain: (name: string, error: unknown) => void;
}

/** The default deadline of a round: longer than any call that a round makes. */
const DEADLINE_MS = 30_000;

export class RoundAbandonedError extends Error {
  constructor(name: string, ms: number) {
    super(`a round of ${name} did not end within ${ms} ms and was abandoned`);
    this.name = 'RoundAbandonedError';
  }
}

/**
 * Repeats its work. Rounds do not overlap, except with an abandoned one. Every round must be safe beside another,
 * because several instances run the same loop.
 */
export class Loop {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private underWay: AbortController | undefined;
  private resting: AbortController | undefined;
  private isWoken = false;
  private isNudged = false;
  private hasComplained = false;
  private succeededAt = performance.now();
  private nextRound = deferred<undefined>();

  constructor(
    private readonly settings: LoopSettings,
    private readonly host: LoopHost,
  ) {}

  get name(): string {
    return this.settings.name;
  }

  get isVital(): boolean {
    return this.settings.isVital ?? false;
  }

  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  get isRunning(): boolean {
    return this.running !== undefined && !this.isStopped;
  }

  /** Since when no round has succeeded. */
  get silentMs(): number {
    return performance.now() - this.succeededAt;
  }

  /** Longer than a healthy loop can be silent: two abandoned rounds, and the rests between them. */
  get isStalled(): boolean {
    return this.isRunning && this.silentMs > 2 * (this.deadlineMs + this.settings.pace.maxMs);
  }

  start(): void {
    if (this.running) return;
    this.succeededAt = performance.now();
    this.running = this.run();
  }

  /** Waits for the round under way, at most as long as a round may take. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.underWay?.abort();
    this.resting?.abort();
    await this.running;
  }

  /** Starts the next round now, or right after the one under way, which may have read before the work arrived. */
  wake(): void {
    this.isWoken = true;
    this.resting?.abort();
  }

  /** There is work: the next round begins after the shortest rest, so that under load many calls share one round. */
  nudge(): void {
    if (this.isNudged) return;
    this.isNudged = true;
    this.resting?.abort();
  }

  /** Resolves with the first round that begins after the call, or at once if the loop does not run. */
  async runNow(): Promise<void> {
    if (!this.isRunning) return;
    const { promise } = this.nextRound;
    this.wake();
    await promise;
  }

  private get deadlineMs(): number {
    return this.settings.deadlineMs ?? DEADLINE_MS;
  }

  private async run(): Promise<void> {
    const { pace } = this.settings;
    let restMs = pace.minMs;
    if (pace.firstMs !== undefined) await this.rest(pace.firstMs);
    while (!this.isStopped) {
      this.isWoken = false;
      this.isNudged = false;
      const startedAt = performance.now();
      const found = await this.attempt();
      const workedMs = performance.now() - startedAt;
      if (typeof found === 'number') restMs = Math.min(pace.maxMs, Math.max(pace.minMs, found));
      else restMs = found ? pace.minMs : Math.min(pace.maxMs, Math.max(1, restMs) * 2);
      await this.rest(Math.max(restMs, workedMs * (pace.restFactor ?? 0)));
    }
    this.nextRound.resolve(undefined);
  }

  /** One log line per series of failures: during an outage every round fails for the same reason. */
  private complain(error: unknown): void {
    if (this.hasComplained) return;
    this.hasComplained = true;
    if (this.settings.onError) this.settings.onError(error);
    else this.host.complain(this.name, error);
  }

  private async rest(ms: number): Promise<void> {
    const { minMs } = this.settings.pace;
    const restedFrom = performance.now();
    await this.sleep(this.isNudged ? Math.min(ms, minMs) : ms);
    if (this.isNudged) await this.sleep(minMs - (performance.now() - restedFrom));
  }

  private async sleep(ms: number): Promise<void> {
    if (this.isWoken || this.isStopped || ms <= 0) return;
    this.resting = new AbortController();
    await this.host.rest(this.name, ms, this.resting.signal);
  }

  private async attempt(): Promise<boolean | number> {
    const ended = this.nextRound;
    this.nextRound = deferred<undefined>();
    try {
      const found = await this.round();
      this.succeededAt = performance.now();
      this.hasComplained = false;
      this.host.observe(this.name, 'done');
      return typeof found === 'number' ? found : found === true;
    } catch (error) {
      this.host.observe(this.name, error instanceof RoundAbandonedError ? 'abandoned' : 'failed');
      if (!this.isStopped) this.complain(error);
      return false;
    } finally {
      ended.resolve(undefined);
    }
  }

  private async round(): Promise<unknown> {
    const { name } = this.settings;
    const abandoned = new AbortController();
    this.underWay = abandoned;
    return within(this.deadlineMs, Promise.resolve(this.settings.round(abandoned.signal)), () => {
      const error = new RoundAbandonedError(name, this.deadlineMs);
      abandoned.abort(error);
      return error;
    });
  }
}
