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
  /** The lock terms of items that share a batch; of no effect if they want no keys. */
  readonly termsOf: (items: readonly T[]) => LockTimes;
  /** Called when a batch has asked for its keys: other keys that its items will need later travel with them. */
  readonly whileLocking?: (items: readonly T[]) => void;
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

export const NOTHING_HELD: HeldKeys = { keys: new Set(), lease: undefined, waitedMs: 0 };

/** An item and its keys, which are computed once. */
interface Wanting<T> {
  readonly item: T;
  readonly keys: readonly string[];
}

/** An item has its result, or has left the batch to wait by itself. */
type Settled<R> = { readonly result: R } | { readonly later: Promise<R> };

/**
 * Group commit under locks: items that arrive together take the union of their keys once. A key that another process
 * keeps for long delays only the items that want it. They leave the batch and wait in a lane with items that want the
 * same keys; when the keys are free, everything in the lane shares one batch.
 */
export class LockedBatches<T, R> {
  private readonly batcher: Batcher<Wanting<T>, Settled<R>>;
  private readonly lanes = new Map<string, Lane<T, R>>();
  private readonly laneKeys = new Map<string, number>();

  constructor(
    private readonly locks: LockService,
    private readonly options: LockedBatchOptions<T, R>,
  ) {
    this.batcher = new Batcher((batch) => this.runBatch(batch), {
      ...options.batching,
      weigh: ({ keys }) => keys.length,
      maxWeight: options.maxKeys,
    });
  }

  async run(item: T): Promise<R> {
    const wanting = { item, keys: this.options.keysOf(item) };
    if (this.isBlocked(wanting)) return this.waitInLane(wanting);
    const settled = await this.batcher.run(wanting);
    return 'later' in settled ? settled.later : settled.result;
  }

  private async runBatch(batch: readonly Wanting<T>[]): Promise<Settled<R>[]> {
    const since = performance.now();
    const settled = new Map<Wanting<T>, Settled<R>>();
    for (const wanting of batch) if (this.isBlocked(wanting)) settled.set(wanting, { later: this.leave(wanting) });
    const free = batch.filter((wanting) => !settled.has(wanting));
    const items = free.map(itemOf);
    const terms = this.options.termsOf(items);
    const served = this.locks.withFreeKeys(free, keysOf, terms, async (members, lease, keys) => {
      const held = keys.size === 0 ? NOTHING_HELD : { lease, keys, waitedMs: performance.now() - since };
      const results = await this.options.work(members.map(itemOf), held);
      members.forEach((wanting, index) => settled.set(wanting, { result: results[index] as R }));
    });
    this.options.whileLocking?.(items);
    await served;
    return batch.map((wanting) => settled.get(wanting) ?? { later: this.leave(wanting) });
  }

  private isBlocked({ keys }: Wanting<T>): boolean {
    return keys.some((key) => this.laneKeys.has(key) || this.locks.isBlocked(key));
  }

  private leave(wanting: Wanting<T>): Promise<R> {
    const later = this.waitInLane(wanting);
    later.catch(() => undefined); // the item's own promise reports it
    return later;
  }

  private waitInLane({ item, keys: wanted }: Wanting<T>): Promise<R> {
    const keys = [...new Set(wanted)].sort();
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

function itemOf<T>({ item }: Wanting<T>): T {
  return item;
}

function keysOf({ keys }: Wanting<unknown>): readonly string[] {
  return keys;
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
