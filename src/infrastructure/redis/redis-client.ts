import { Redis, RedisOptions } from 'ioredis';
import { backoffMs } from '../../common/backoff.js';

/**
 * Options every Redis connection of ours shares. The offline queue is off: a command issued while the server is away
 * fails at once rather than running later, when nobody waits for it any more (ioredis #2130).
 */
export function redisOptions(commandTimeoutMs: number): RedisOptions {
  return {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 2_000,
    enableAutoPipelining: true,
    retryStrategy: (attempt) => backoffMs({ baseMs: 50, capMs: 2_000 }, attempt),
  };
}

/** Connects in the background; the start never waits for Redis, which has a fallback. */
export function connectRedis(url: string, commandTimeoutMs: number): Redis {
  const redis = new Redis(url, redisOptions(commandTimeoutMs));
  redis.on('error', () => undefined); // readiness and the lock's breaker report the state; one line per retry is noise
  redis.connect().catch(() => undefined);
  return redis;
}
