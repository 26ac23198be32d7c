import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RedisClient } from './redis-client.js';

/** A Lua file, sent by its hash, and in full the first time a server sees it or after a SCRIPT FLUSH or restart. */
export class RedisScript {
  private readonly source: string;
  private readonly hash: string;

  constructor(file: URL) {
    this.source = readFileSync(file, 'utf8');
    this.hash = createHash('sha1').update(this.source).digest('hex');
  }

  run(redis: RedisClient, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return redis.evalsha(this.hash, keys.length, ...keys, ...args).catch((error: unknown) => {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(this.source, keys.length, ...keys, ...args);
    });
  }
}
