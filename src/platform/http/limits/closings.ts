import type { Redis } from 'ioredis';
import { RedisScript } from '../../redis/redis-script.js';
import { WINDOW_MS } from './window-counters.js';

const ASK_EVERY_MS = 250;
const MAX_PER_CALL = 1_000;
/** Both keys of a call are in one hash slot, so that the script also runs on a Cluster. */
const PREFIX = '{checkout:limits}:closed';

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
    this.turn(now);
    if (this.current.has(name)) return false;
    this.current.add(name);
    if (!this.redis) return true;
    this.unsent.push(name);
    void this.ask(this.redis, now);
    return true;
  }

  /** Whether nothing is closed. Like every question, this one also refreshes what other instances have closed. */
  isEmpty(now = Date.now()): boolean {
    this.turn(now);
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

  private turn(now: number): void {
    const window = Math.floor(now / WINDOW_MS);
    if (window === this.window) return;
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
    const keys = [`${PREFIX}:${window}`, `${PREFIX}:${window - 1}`];
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
