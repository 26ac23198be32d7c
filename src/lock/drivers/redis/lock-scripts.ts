import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { explain, explained } from '../../../platform/redis/redis-errors.js';
import { CHANNEL_PREFIX } from './redis-names.js';

export type ScriptName = 'acquire' | 'renew' | 'release';

/** How long a freed key is kept for the waiter that was woken. Longer than a wake-up takes on a busy machine. */
const GRACE_MS = 100;
/**
 * How long a freed record keeps its last token. It only matters if the store's clock goes back, as a token is never
 * below the clock; payment locks are one key per order, so keeping them for a day would cost gigabytes.
 */
const RETENTION_MS = 300_000;
/** A waiter renews its place with every poll; this only cleans up after the last one. */
const QUEUE_TTL_MS = 60_000;

const COMMANDS = (['acquire', 'renew', 'release'] as const)
  .map((name) => `commands.${name} = function(KEYS, ARGV)\n${read(name)}\nend`)
  .join('\n');
const SOURCE = [
  `local CHANNEL, GRACE_MS, RETENTION_MS, QUEUE_TTL_MS = '${CHANNEL_PREFIX}', '${GRACE_MS}', '${RETENTION_MS}', '${QUEUE_TTL_MS}'`,
  read('batch').replace('--@commands', () => COMMANDS),
].join('\n');
const HASH = createHash('sha1').update(SOURCE).digest('hex');

function read(name: ScriptName | 'batch'): string {
  return readFileSync(new URL(`../../scripts/${name}.lua`, import.meta.url), 'utf8');
}

/** By its hash, and in full the first time a server sees it or after a SCRIPT FLUSH or restart. */
export async function runBatch(redis: RedisClient, keys: string[], args: string[]): Promise<unknown[]> {
  try {
    return (await redis.evalsha(HASH, keys.length, ...keys, ...args)) as unknown[];
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw explain(redis, error);
    return (await explained(redis, redis.eval(SOURCE, keys.length, ...keys, ...args))) as unknown[];
  }
}
