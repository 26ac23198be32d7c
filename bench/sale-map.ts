import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../test/setup/api-client.js';
import { KEYS } from '../test/setup/app-process.js';
import { Front } from './sale-client.js';

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
  const seenAt = new Map<number, number>();
  let isOver = false;
  const taken = `${group}:1`;
  const poll = async (reader: number): Promise<void> => {
    await sleep((reader / readers) * 1_000);
    let etag = '';
    while (!isOver) {
      const startedAt = performance.now();
      const headers = { 'accept-encoding': 'identity', ...(etag !== '' && { 'if-none-match': etag }) };
      const answer = await front.send(reader, 'GET', path, undefined, headers);
      const now = performance.now();
      latencies.push(now - startedAt);
      if (answer.status === 200) {
        etag = String(answer.headers.etag);
        const seat = answer.body.items.find((item: { sku: string }) => item.sku === taken);
        if (seat.available === 0 && !seenAt.has(reader)) seenAt.set(reader, now);
      }
      await sleep(Math.max(0, 1_000 - (now - startedAt)));
    }
  };
  const follow = (reader: number): Promise<void> =>
    new Promise((resolve) => {
      const note = ({ items }: { items: { sku: string; available: number }[] }) => {
        const isTaken = items.some(({ sku, available }) => sku === taken && available === 0);
        if (isTaken && !seenAt.has(reader)) seenAt.set(reader, performance.now());
      };
      front.open(url, `/v1/skus/events?group=${group}`, note, resolve);
    });
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
  const takenAt = performance.now();
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
