import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../test/setup/api-client.js';
import { KEYS } from '../test/setup/app-process.js';
import { eventually } from '../test/setup/eventually.js';
import { quantile } from '../test/setup/timing.js';
import { Follower, Maps, Poller } from './map-readers.js';

export interface MapFigures {
  readonly readers: number;
  readonly seats: number;
  readonly requestsPerSecond: number;
  readonly queriesPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** From the answer to a hold until the last reader saw it; the worst of all changes. */
  readonly visibleMs: number;
}

export interface MapOptions {
  readonly readers: number;
  readonly seats: number;
  readonly changes: number;
}

const POLL_MS = 1_000;
const PAUSE_MS = 4_000;
const GIVE_UP_MS = 60_000;

/** Half of the readers follow the changes of one map; the others ask again every second, with the tag they have. */
class Audience {
  readonly latencies: number[] = [];
  private readonly maps = new Maps();
  private readonly seenAt = new Map<number, number>();
  private readonly pollers: Poller[];
  private readonly followers: Follower[] = [];
  private wanted = '';
  private isOver = false;

  constructor(
    private readonly url: URL,
    private readonly group: string,
    private readonly readers: number,
  ) {
    const path = `/v1/skus?group=${group}`;
    this.pollers = Array.from({ length: readers / 2 }, () => new Poller(this.address, path, this.maps));
  }

  /** Until everybody has the map. */
  async gather(): Promise<void> {
    for (const [index, poller] of this.pollers.entries()) void this.poll(poller, index);
    for (let reader = this.readers / 2; reader < this.readers; reader += 1) {
      const path = `/v1/skus/events?group=${this.group}`;
      this.followers.push(new Follower(this.address, path, (text) => this.note(reader, text)));
      if (reader % 100 === 0) await sleep(20);
    }
    const haveAll = () =>
      this.pollers.every(({ etag }) => etag !== '') && this.followers.every(({ hasBegun }) => hasBegun);
    await eventually('all have the map', haveAll, { withinMs: GIVE_UP_MS });
  }

  /** How long it takes until everybody sees that a seat is gone. */
  async watch(sku: string, take: () => Promise<void>): Promise<number> {
    this.wanted = sku;
    this.seenAt.clear();
    await take();
    const takenAt = performance.now();
    while (this.seenAt.size < this.readers && performance.now() - takenAt < GIVE_UP_MS) await sleep(20);
    if (this.seenAt.size < this.readers) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.max(...this.seenAt.values()) - takenAt);
  }

  leave(): void {
    this.isOver = true;
    for (const reader of [...this.pollers, ...this.followers]) reader.close();
  }

  private get address() {
    return { host: this.url.hostname, port: Number(this.url.port) };
  }

  private note(reader: number, change: Buffer): void {
    if (!this.seenAt.has(reader) && change.includes(`"${this.wanted}"`)) this.seenAt.set(reader, performance.now());
  }

  private async poll(poller: Poller, reader: number): Promise<void> {
    for (let due = performance.now() + (reader / this.pollers.length) * POLL_MS; !this.isOver; due += POLL_MS) {
      // Each at its own time, also after a delay that all had together.
      while (due < performance.now()) due += POLL_MS;
      await sleep(due - performance.now());
      const startedAt = performance.now();
      const status = await poller.ask();
      const now = performance.now();
      if (status === 0) return; // whoever lost the connection does not see the next change
      this.latencies.push(now - startedAt);
      if (!this.maps.isFree(this.wanted, poller.etag) && !this.seenAt.has(reader)) this.seenAt.set(reader, now);
    }
  }
}

export async function readMap(
  url: string,
  group: string,
  queries: () => Promise<number>,
  { readers, seats, changes }: MapOptions,
): Promise<MapFigures> {
  const audience = new Audience(new URL(url), group, readers);
  await audience.gather();
  const shop = new ApiClient(url, KEYS);
  const change = async (seat: number): Promise<number> => {
    const sku = `${group}:${seat}`;
    const visibleMs = await audience.watch(sku, async () => {
      const { status } = await shop.post('/v1/reservations', { currency: 'EUR', lines: [{ sku, quantity: 1 }] });
      if (status !== 201) throw new Error(`the seat was not held: ${status}`);
    });
    await sleep(PAUSE_MS * Math.random());
    return visibleMs;
  };
  await change(seats); // until the code is warm
  await sleep(PAUSE_MS);
  audience.latencies.length = 0;
  const before = { queries: await queries(), at: performance.now() };
  const visible: number[] = [];
  for (let seat = 1; seat <= changes; seat += 1) visible.push(await change(seat));
  const seconds = (performance.now() - before.at) / 1_000;
  const asked = (await queries()) - before.queries;
  audience.leave();
  const { latencies } = audience;
  return {
    readers,
    seats,
    requestsPerSecond: latencies.length / seconds,
    queriesPerSecond: asked / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    visibleMs: Math.max(...visible),
  };
}
