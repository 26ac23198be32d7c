import { sleep } from './backoff.js';

export interface PollingPace {
  /** The rest after a round that found work. */
  readonly minMs: number;
  /** The longest rest: each idle round doubles it up to here. */
  readonly maxMs: number;
}

/**
 * Does its work again and again, in rounds that never overlap, and rests longer while there is nothing to do. A failed
 * round counts as idle: the loop outlives every outage.
 */
export class PollingLoop {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    /** Whether it found anything. */
    private readonly work: () => Promise<boolean>,
    private readonly pace: PollingPace,
    private readonly onError: (error: unknown) => void,
  ) {}

  get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Waits for the round under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    let restMs = this.pace.minMs;
    while (!this.isStopped) {
      const hasWorked = await this.round();
      restMs = hasWorked ? this.pace.minMs : Math.min(this.pace.maxMs, restMs * 2);
      await sleep(restMs, this.stopping.signal);
    }
  }

  private async round(): Promise<boolean> {
    try {
      return await this.work();
    } catch (error) {
      if (!this.isStopped) this.onError(error);
      return false;
    }
  }
}
