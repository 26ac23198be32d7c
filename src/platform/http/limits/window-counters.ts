import { Injectable, Optional } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RedisScript } from '../../redis/redis-script.js';

export const WINDOW_MS = 60_000;
const SYNC_EVERY_MS = 100;
const MAX_PER_SYNC = 1_000;
/**
 * About 10 MB. When the table is full, new names are not counted until the window ends: that is better than refusing
 * them.
 */
const MAX_BUCKETS = 50_000;
/** One hash slot, so that one script call can contain all counters, also on a Cluster. */
const PREFIX = '{checkout:limits}';

interface Bucket {
  readonly key: string;
  /** Counted by all instances at the last synchronisation, which included `known - unsent` of ours. */
  known: number;
  /** Counted here since. */
  unsent: number;
  isQueued: boolean;
}

/**
 * Counters by minute. A request only touches this process's memory: the sum over all instances is fetched in the
 * background, with one script call for all counters that changed in the last 100 ms. A limit is therefore exact on one
 * instance, and on several it is exceeded by at most what the others admit in 100 ms. Asking Redis first would add a
 * round trip to every request and a dependency to every answer. While Redis is away each instance counts for itself.
 * There is no timer per counter: of two generations of a map the older one is dropped as a whole.
 */
@Injectable()
export class WindowCounters {
  private readonly script = new RedisScript(new URL('scripts/count.lua', import.meta.url));
  private window = 0;
  private current = new Map<string, Bucket>();
  private previous: ReadonlyMap<string, Bucket> = new Map();
  private queue: Bucket[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(@Optional() private readonly redis?: Redis) {}

  /** Adds to the counter of this window and returns its total. */
  add(name: string, amount: number, now = Date.now()): number {
    this.turn(now);
    const bucket = this.bucketOf(name);
    if (!bucket) return 0;
    bucket.unsent += amount;
    if (this.redis && !bucket.isQueued) this.enqueue(bucket);
    return bucket.known + bucket.unsent;
  }

  /** The totals of this window and of the one before. */
  read(name: string, now = Date.now()): { readonly current: number; readonly previous: number } {
    this.turn(now);
    return { current: totalOf(this.current.get(name)), previous: totalOf(this.previous.get(name)) };
  }

  private turn(now: number): void {
    const window = Math.floor(now / WINDOW_MS);
    if (window === this.window) return;
    this.previous = window === this.window + 1 ? this.current : new Map();
    this.current = new Map();
    this.window = window;
  }

  private bucketOf(name: string): Bucket | undefined {
    const known = this.current.get(name);
    if (known || this.current.size >= MAX_BUCKETS) return known;
    const bucket = { key: `${PREFIX}:${this.window}:${name}`, known: 0, unsent: 0, isQueued: false };
    this.current.set(name, bucket);
    return bucket;
  }

  private enqueue(bucket: Bucket): void {
    bucket.isQueued = true;
    this.queue.push(bucket);
    this.timer ??= setTimeout(() => void this.synchronise(), SYNC_EVERY_MS).unref();
  }

  private async synchronise(): Promise<void> {
    const batch = this.queue.splice(0, MAX_PER_SYNC);
    const sent = batch.map((bucket) => bucket.unsent);
    for (const bucket of batch) bucket.isQueued = false;
    try {
      const keys = batch.map((bucket) => bucket.key);
      const totals = (await this.script.run(this.redis as Redis, keys, [2 * WINDOW_MS + 10_000, ...sent])) as number[];
      batch.forEach((bucket, index) => {
        bucket.known = totals[index] ?? 0;
        bucket.unsent -= sent[index] ?? 0;
      });
    } catch {
      // Counts that could not be sent stay here and are sent with the bucket's next request.
    } finally {
      this.timer = this.queue.length > 0 ? setTimeout(() => void this.synchronise(), SYNC_EVERY_MS).unref() : undefined;
    }
  }
}

function totalOf(bucket: Bucket | undefined): number {
  return bucket ? bucket.known + bucket.unsent : 0;
}
