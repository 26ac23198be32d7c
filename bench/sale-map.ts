import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { ApiClient } from '../test/setup/api-client.js';
import { KEYS } from '../test/setup/app-process.js';
import { Front } from './sale-client.js';

const RECONNECT_MS = 1_000;

export interface MapFigures {
  readonly readers: number;
  readonly seats: number;
  readonly requestsPerSecond: number;
  readonly queriesPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** From the answer to a hold until the last reader saw it. */
  readonly visibleMs: number;
}

export interface MapOptions {
  readonly readers: number;
  readonly seats: number;
  readonly seconds: number;
}

/** What is free in a map, decoded once for all who got the same one. */
class Maps {
  private readonly free = new Map<string, ReadonlySet<string>>();

  isFree(seat: string, etag: string, bytes: Buffer): boolean {
    const known = this.free.get(etag) ?? this.decode(bytes);
    this.free.set(etag, known);
    return known.has(seat);
  }

  private decode(bytes: Buffer): ReadonlySet<string> {
    const { items } = JSON.parse(gunzipSync(bytes).toString()) as { items: { sku: string; available: number }[] };
    return new Set(items.flatMap(({ sku, available }) => (available > 0 ? [sku] : [])));
  }
}

/**
 * Readers of one seat map. Half follow its changes; the others ask again every second, with the tag they have. One seat
 * is taken in the middle.
 */
export async function readMap(
  url: string,
  group: string,
  queries: () => Promise<number>,
  { readers, seats, seconds }: MapOptions,
): Promise<MapFigures> {
  const front = new Front([url]);
  const path = `/v1/skus?group=${group}`;
  const latencies: number[] = [];
  const maps = new Maps();
  const seenAt = new Map<number, number>();
  let isOver = false;
  let takenAt = Infinity;
  const taken = `${group}:1`;
  const poll = async (reader: number): Promise<void> => {
    await sleep((reader / readers) * 1_000);
    let etag = '';
    while (!isOver) {
      const startedAt = performance.now();
      const headers = { 'accept-encoding': 'gzip', ...(etag !== '' && { 'if-none-match': etag }) };
      const answer = await front.read(path, headers);
      const now = performance.now();
      latencies.push(now - startedAt);
      if (answer.status === 200) {
        etag = String(answer.headers.etag);
        if (!maps.isFree(taken, etag, answer.bytes) && !seenAt.has(reader)) seenAt.set(reader, now);
      }
      await sleep(Math.max(0, 1_000 - (now - startedAt)));
    }
  };
  const follow = async (reader: number): Promise<void> => {
    const note = ({ items }: { items: { sku: string; available: number }[] }) => {
      const isTaken = items.some(({ sku, available }) => sku === taken && available === 0);
      if (isTaken && !seenAt.has(reader)) seenAt.set(reader, performance.now());
    };
    const isChange = (text: string) =>
      performance.now() >= takenAt || text.startsWith('event: skus.changed', text.indexOf('event:'));
    // A browser comes back when its stream breaks off.
    while (!isOver) {
      await new Promise<void>((ended) => {
        front.open(url, `/v1/skus/events?group=${group}`, note, ended, isChange);
      });
      await sleep(RECONNECT_MS);
    }
  };
  const polling = Array.from({ length: readers / 2 }, (_, reader) => poll(reader));
  for (let reader = readers / 2; reader < readers; reader += 1) {
    void follow(reader);
    if (reader % 100 === 0) await sleep(20);
  }
  await sleep(2_000);
  latencies.length = 0;
  const before = { queries: await queries(), requests: front.requests, at: performance.now() };
  await sleep((seconds / 2) * 1_000);
  const lines = [{ sku: taken, quantity: 1 }];
  const { status } = await new ApiClient(url, KEYS).post('/v1/reservations', { currency: 'EUR', lines });
  if (status !== 201) throw new Error(`the seat was not held: ${status}`);
  takenAt = performance.now();
  while (seenAt.size < readers && performance.now() - takenAt < 60_000) await sleep(20);
  await sleep((seconds / 2) * 1_000);
  const elapsed = (performance.now() - before.at) / 1_000;
  const asked = (await queries()) - before.queries;
  isOver = true;
  await Promise.all(polling);
  front.close();
  latencies.sort((a, b) => a - b);
  return {
    readers,
    seats,
    requestsPerSecond: (front.requests - before.requests) / elapsed,
    queriesPerSecond: asked / elapsed,
    p50: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    visibleMs: seenAt.size < readers ? Number.POSITIVE_INFINITY : Math.max(...seenAt.values()) - takenAt,
  };
}
