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
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.window) this.turn(window);
    const bucket = this.current.get(name) ?? this.newBucket(name);
    if (!bucket) return 0;
    bucket.unsent += amount;
    if (this.redis && !bucket.isQueued) this.enqueue(bucket);
    return bucket.known + bucket.unsent;
  }

  /** The totals of this window and of the one before. */
  read(name: string, now = Date.now()): { readonly current: number; readonly previous: number } {
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.window) this.turn(window);
    return { current: totalOf(this.current.get(name)), previous: totalOf(this.previous.get(name)) };
  }

  private turn(window: number): void {
    this.previous = window === this.window + 1 ? this.current : new Map();
    this.current = new Map();
    this.window = window;
  }

  private newBucket(name: string): Bucket | undefined {
    if (this.current.size >= MAX_BUCKETS) return undefined;
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

const ASK_EVERY_MS = 250;
const MAX_PER_CALL = 1_000;
/** Both keys of a call are in one hash slot, so that the script also runs on a Cluster. */
const CLOSED = '{checkout:limits}:closed';

/**
 * Names that are closed for the rest of this minute and all of the next. A request looks only into this process's
 * memory: what other instances have closed is fetched in the background, at most every 250 ms and only while requests
 * ask. Nothing is kept for a name that was never closed, however many names an attacker makes up. While Redis is away
 * each instance closes for itself.
 */
export class Closings {
  private readonly script = new RedisScript(new URL('scripts/close.lua', import.meta.url));
  private window = 0;
  private current = new Set<string>();
  private previous = new Set<string>();
  private unsent: string[] = [];
  private askedAt = Number.NEGATIVE_INFINITY;
  private isAsking = false;

  constructor(private readonly redis?: Redis) {}

  /** Whether the name was open until now, as far as this instance knows. */
  close(name: string, now = Date.now()): boolean {
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.window) this.turn(window);
    if (this.current.has(name)) return false;
    this.current.add(name);
    if (!this.redis) return true;
    this.unsent.push(name);
    void this.ask(this.redis, now);
    return true;
  }

  /** Whether nothing is closed. Like every question, this one also refreshes what other instances have closed. */
  isEmpty(now = Date.now()): boolean {
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.window) this.turn(window);
    if (this.redis && now - this.askedAt >= ASK_EVERY_MS) void this.ask(this.redis, now);
    return this.current.size === 0 && this.previous.size === 0;
  }

  /** The seconds until it opens; 0 if it is open. */
  secondsClosed(name: string, now = Date.now()): number {
    if (this.isEmpty(now)) return 0;
    const secondsLeft = Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / 1_000);
    if (this.current.has(name)) return secondsLeft + WINDOW_MS / 1_000;
    return this.previous.has(name) ? secondsLeft : 0;
  }

  /** Whether a name with this beginning is closed. */
  hasAny(prefix: string): boolean {
    for (const names of [this.current, this.previous])
      for (const name of names) if (name.startsWith(prefix)) return true;
    return false;
  }

  private turn(window: number): void {
    this.previous = window === this.window + 1 ? this.current : new Set();
    this.current = new Set();
    this.unsent = [];
    this.window = window;
  }

  private async ask(redis: Redis, now: number): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    this.askedAt = now;
    const { window } = this;
    const sent = this.unsent.slice(0, MAX_PER_CALL);
    const keys = [`${CLOSED}:${window}`, `${CLOSED}:${window - 1}`];
    try {
      const answer = await this.script.run(redis, keys, [2 * WINDOW_MS + 10_000, ...sent]);
      this.isAsking = false;
      if (window === this.window) this.learn(answer as [string[], string[]], sent.length);
      if (this.unsent.length > 0) void this.ask(redis, Date.now());
    } catch {
      this.isAsking = false; // names that could not be sent stay closed here and are sent with the next call
    }
  }

  private learn([current, previous]: [string[], string[]], sent: number): void {
    this.unsent = this.unsent.slice(sent);
    for (const name of current) this.current.add(name);
    for (const name of previous) this.previous.add(name);
  }
}
