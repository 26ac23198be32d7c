import { Batcher, type BatcherOptions, settle, type Waiting } from '../common/batcher.js';
import type { Lease } from './lease.js';
import { FencedOutError, LockTimeoutError } from './lock-errors.js';
import type { LockTimes } from './lock-keys.js';
import type { LockService } from './lock.service.js';

export interface LockedBatchOptions<T, R> {
  readonly batching: Pick<BatcherOptions<T>, 'maxBatch' | 'maxInFlight' | 'overlapFrom' | 'patienceMs' | 'isShared'>;
  /** A batch takes no more keys than this. */
  readonly maxKeys: number;
  readonly keysOf: (item: T) => readonly string[];
  /** The lock terms of items that share a batch. */
  readonly termsOf: (items: readonly T[]) => LockTimes;
  /** Answers in the order of the items. */
  readonly work: (items: readonly T[], held: HeldKeys) => Promise<readonly R[]>;
}

export interface HeldKeys {
  readonly keys: ReadonlySet<string>;
  /** Undefined if there are no keys. */
  readonly lease: Lease | undefined;
  /** How long the keys were waited for. */
  readonly waitedMs: number;
}

const NOTHING_HELD: HeldKeys = { keys: new Set(), lease: undefined, waitedMs: 0 };

/** An item has its result, or has left the batch to wait by itself. */
type Settled<R> = { readonly result: R } | { readonly later: Promise<R> };

/**
 * Group commit under locks: items that arrive together take the union of their keys once. A key that another process
 * keeps for long delays only the items that want it. They leave the batch and wait in a lane with items that want the
 * same keys; when the keys are free, everything in the lane shares one batch.
 */
export class LockedBatches<T, R> {
  private readonly batcher: Batcher<T, Settled<R>>;
  private readonly lanes = new Map<string, Lane<T, R>>();
  private readonly laneKeys = new Map<string, number>();

  constructor(
    private readonly locks: LockService,
    private readonly options: LockedBatchOptions<T, R>,
  ) {
    const { maxKeys, keysOf, batching } = options;
    this.batcher = new Batcher((items) => this.runBatch(items), {
      ...batching,
      weigh: (item) => keysOf(item).length,
      maxWeight: maxKeys,
    });
  }

  async run(item: T): Promise<R> {
    if (this.isBlocked(item)) return this.waitInLane(item);
    const settled = await this.batcher.run(item);
    return 'later' in settled ? settled.later : settled.result;
  }

  private async runBatch(items: readonly T[]): Promise<Settled<R>[]> {
    const { keysOf, termsOf, work } = this.options;
    const settled = new Map<T, Settled<R>>();
    const settle = (done: readonly T[], results: readonly R[]): void =>
      done.forEach((item, index) => settled.set(item, { result: results[index] as R }));
    const since = performance.now();
    const leave = (item: T): void => void settled.set(item, { later: this.leave(item) });
    const wanted = items.filter((item) => !this.isBlocked(item));
    items.filter((item) => this.isBlocked(item)).forEach(leave);
    if (wanted.every((item) => keysOf(item).length === 0)) {
      if (wanted.length > 0) settle(wanted, await work(wanted, NOTHING_HELD));
    } else {
      const { blocked } = await this.locks.withFreeKeys(wanted, keysOf, termsOf(wanted), async (free, lease, keys) =>
        settle(free, await work(free, { lease, keys, waitedMs: performance.now() - since })),
      );
      blocked.forEach(leave);
    }
    return items.map((item) => settled.get(item) as Settled<R>);
  }

  private isBlocked(item: T): boolean {
    return this.options.keysOf(item).some((key) => this.laneKeys.has(key) || this.locks.isBlocked(key));
  }

  private leave(item: T): Promise<R> {
    const later = this.waitInLane(item);
    later.catch(() => undefined); // the item's own promise reports it
    return later;
  }

  private waitInLane(item: T): Promise<R> {
    const keys = [...new Set(this.options.keysOf(item))].sort();
    const name = keys.join('\0');
    let lane = this.lanes.get(name);
    if (!lane) {
      lane = new Lane(this.locks, keys, this.options, () => this.close(name, keys));
      this.lanes.set(name, lane);
      for (const key of keys) this.laneKeys.set(key, (this.laneKeys.get(key) ?? 0) + 1);
    }
    return lane.join(item);
  }

  private close(name: string, keys: readonly string[]): void {
    this.lanes.delete(name);
    for (const key of keys) {
      const left = (this.laneKeys.get(key) ?? 1) - 1;
      if (left > 0) this.laneKeys.set(key, left);
      else this.laneKeys.delete(key);
    }
  }
}

interface Queued<T, R> extends Waiting<T, R> {
  readonly giveUp: NodeJS.Timeout;
  readonly queuedAt: number;
}

/** Items that want the same keys, one of which is held elsewhere. One request waits for all of them. */
class Lane<T, R> {
  private isRunning = false;
  private queue: Queued<T, R>[] = [];

  constructor(
    private readonly locks: LockService,
    private readonly keys: readonly string[],
    private readonly options: LockedBatchOptions<T, R>,
    /** Called when the last item has left: later items need another lane. */
    private readonly onEmpty: () => void,
  ) {}

  /** Each item waits as long as its lock's terms say, from its own arrival. */
  join(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      const { waitMs } = this.options.termsOf([item]);
      const giveUp = setTimeout(() => {
        this.queue = this.queue.filter((other) => other !== waiting);
        reject(new LockTimeoutError(this.keys, waitMs));
      }, waitMs);
      const waiting: Queued<T, R> = { item, resolve, reject, giveUp, queuedAt: performance.now() };
      this.queue.push(waiting);
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.queue.length > 0) {
      try {
        const terms = this.options.termsOf(this.queue.map(({ item }) => item));
        await this.locks.withLock(this.keys, terms, (lease) => this.serve(lease));
      } catch (error) {
        // Items that waited too long have left by themselves; items that were fenced out have been answered.
        if (error instanceof LockTimeoutError || error instanceof FencedOutError) continue;
        for (const { reject } of this.take(this.queue.length)) reject(error);
      }
    }
    this.onEmpty();
  }

  private async serve(lease: Lease): Promise<void> {
    const { work, batching } = this.options;
    const batch = this.take(batching.maxBatch);
    const since = Math.min(...batch.map(({ queuedAt }) => queuedAt));
    const held = { lease, keys: new Set(this.keys), waitedMs: performance.now() - since };
    let fencedOut: FencedOutError | undefined;
    const attempt = async (items: readonly T[]): Promise<readonly R[]> => {
      try {
        return await work(items, held);
      } catch (error) {
        if (error instanceof FencedOutError) fencedOut = error;
        throw error;
      }
    };
    if (batch.length > 0) await settle(batch, attempt, batching.isShared);
    if (fencedOut) throw fencedOut; // the lock service learns the fence from it
  }

  private take(count: number): Queued<T, R>[] {
    const taken = this.queue.splice(0, count);
    for (const { giveUp } of taken) clearTimeout(giveUp);
    return taken;
  }
}
