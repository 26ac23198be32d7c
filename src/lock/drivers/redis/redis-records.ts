import { Cluster } from 'ioredis';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { isHeirOf, type StoredLock } from '../../lock-driver.js';
import { keyOfRecord, RECORD_PATTERN } from './redis-names.js';

const SCAN_COUNT = 1_000;
const SCAN_BUDGET_MS = 1_000;

/** Whether one of the records, of one slot, is held by an owner that an heir of `heirOf` would have to wait for. */
export async function isAnyHeld(redis: RedisClient, records: readonly string[], heirOf: string): Promise<boolean> {
  const [values, now] = await Promise.all([redis.mget(...records), storeTimeMs(redis)]);
  return values.some((value) => {
    const held = value === null ? undefined : parse(value, now);
    return held !== undefined && !isHeirOf(heirOf, held.owner);
  });
}

/** The held locks, found by SCAN within a budget of time: an operator's view, never part of the hot path. */
export async function listRecords(client: RedisClient, limit: number): Promise<StoredLock[]> {
  const nodes = client instanceof Cluster ? client.nodes('master') : [client];
  const over = performance.now() + SCAN_BUDGET_MS;
  const found: StoredLock[] = [];
  for (const node of nodes) {
    let cursor = '0';
    do {
      const [next, names] = await node.scan(cursor, 'MATCH', RECORD_PATTERN, 'COUNT', SCAN_COUNT);
      cursor = next;
      for (const lock of await describe(client, names)) found.push(lock);
    } while (cursor !== '0' && found.length < limit && performance.now() < over);
  }
  return found.slice(0, limit);
}

/** Name by name: on a Cluster the names of one node are in many slots. */
async function describe(redis: RedisClient, names: readonly string[]): Promise<StoredLock[]> {
  if (names.length === 0) return [];
  const [now, ...values] = await Promise.all([storeTimeMs(redis), ...names.map((name) => redis.get(name))]);
  const held = names.flatMap((name, index) => {
    const record = parse(values[index] ?? '', now);
    return record ? [{ name, ...record }] : [];
  });
  const waiters = await Promise.all(held.map(({ name }) => redis.zcard(`${name}:waiting`)));
  return held.map(({ name, owner, expires, acquired }, index) => ({
    key: keyOfRecord(name),
    owner,
    ageMs: Math.max(0, now - acquired),
    ttlMs: expires - now,
    waiters: waiters[index] ?? 0,
  }));
}

/** The record as acquire.lua writes it, if an owner holds it now. A token is the time it was minted, or a little more. */
function parse(value: string, now: number): { owner: string; expires: number; acquired: number } | undefined {
  const [owner = '', from = '0', lease = '0', token = '0'] = value.split(' ');
  const expires = Number(from) + Number(lease);
  if (owner.startsWith('~') || expires <= now) return undefined;
  return { owner, expires, acquired: Math.floor(Number(token) / 1_000) };
}

async function storeTimeMs(redis: RedisClient): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}
