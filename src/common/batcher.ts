export interface BatcherOptions<T> {
  readonly maxBatch: number;
  /** What an item adds to its batch (locks, rows). A batch stays within `maxWeight`; what is heavier runs alone. */
  readonly weigh?: (item: T) => number;
  readonly maxWeight?: number;
  /** How many batches may be under way at once. More overlap hides latency, fewer make larger batches. */
  readonly maxInFlight: number;
  /** If small batches cost more than their overlap hides: how many items must wait before a second batch starts ... */
  readonly overlapFrom?: number;
  /** ... unless the batch under way takes longer than this: it may wait for something that the others do not need. */
  readonly patienceMs?: number;
  /** Failures that hit every member alike (the database is away): running members alone would only take longer. */
  readonly isShared?: (error: unknown) => boolean;
}

/** An item, and the promise of its caller. */
export interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: items that arrive while a batch is under way share the next one. There is no timer, so the size of a batch
 * follows the load, and is one when idle. A batch that throws is split and its members run alone, so that a poison item
 * hurts nobody else.
 */
export class Batcher<T, R> {
  private queue: Waiting<T, R>[] = [];
  private inFlight = 0;
  private isScheduled = false;
  private lastStart = 0;
  private patience: NodeJS.Timeout | undefined;

  constructor(
    /** Returns the results in the order of the items. */
    private readonly work: (items: readonly T[]) => Promise<readonly R[]>,
    private readonly options: BatcherOptions<T>,
  ) {}

  get depth(): number {
    return this.queue.length;
  }

  run(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      this.schedule();
    });
  }

  /** Drains after the current I/O callbacks, so that requests read in one tick share a batch also when idle. */
  private schedule(): void {
    if (this.isScheduled || this.queue.length === 0 || this.inFlight >= this.options.maxInFlight) return;
    if (!this.mayStart()) {
      this.patience ??= setTimeout(() => {
        this.patience = undefined;
        this.schedule();
      }, this.options.patienceMs).unref();
      return;
    }
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      while (this.queue.length > 0 && this.mayStart()) void this.runNext();
      this.schedule();
    });
  }

  private mayStart(): boolean {
    const { maxInFlight, overlapFrom = 1, patienceMs = 0 } = this.options;
    if (this.inFlight === 0) return true;
    if (this.inFlight >= maxInFlight) return false;
    return this.queue.length >= overlapFrom || performance.now() - this.lastStart >= patienceMs;
  }

  private async runNext(): Promise<void> {
    const { maxBatch, maxWeight = Number.POSITIVE_INFINITY, weigh = () => 1, isShared } = this.options;
    let count = 0;
    let weight = 0;
    for (const { item } of this.queue) {
      weight += weigh(item);
      if (count > 0 && (count >= maxBatch || weight > maxWeight)) break;
      count += 1;
    }
    this.inFlight += 1;
    this.lastStart = performance.now();
    try {
      await settle(this.queue.splice(0, count), this.work, isShared);
    } finally {
      this.inFlight -= 1;
      this.schedule();
    }
  }
}

/** A batch that fails is split and its members run alone, so that one that cannot succeed hurts nobody else. */
export async function settle<T, R>(
  batch: readonly Waiting<T, R>[],
  work: (items: readonly T[]) => Promise<readonly R[]>,
  isShared?: (error: unknown) => boolean,
): Promise<void> {
  try {
    const results = await work(batch.map((waiting) => waiting.item));
    batch.forEach((waiting, index) => waiting.resolve(results[index] as R));
  } catch (error) {
    if (batch.length === 1 || isShared?.(error)) batch.forEach((waiting) => waiting.reject(error));
    else for (const waiting of batch) await settle([waiting], work, isShared);
  }
}
