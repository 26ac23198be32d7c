import { setTimeout as sleep } from 'node:timers/promises';

/** Runs the section under a lock on the key. */
export type Cycle = (key: string, section: () => Promise<void>) => Promise<void>;

export interface Contender {
  readonly name: string;
  readonly cycle: Cycle;
}

export interface Crowd {
  readonly perSecond: number;
  /** Sections per second without a lock, one after another, just before. */
  readonly ideal: number;
  readonly p50: number;
  readonly p99: number;
}

export const SECTION_MS = 1;
const WARM_UP_MS = 100;
const OUTAGE = { beforeMs: 2_000, afterMs: 8_000, settledMs: 2_000 };

const nothing = () => Promise.resolve();
const section = () => sleep(SECTION_MS).then(() => undefined);

/** Cycles per second with so many lanes, each on a key of its own. */
export async function uncontended(cycle: Cycle, lanes: number, durationMs: number): Promise<number> {
  let cycles = 0;
  let isCounting = false;
  let isOver = false;
  const running = Array.from({ length: lanes }, async (_, lane) => {
    while (!isOver) {
      await cycle(`bench:free:${lane}`, nothing);
      if (isCounting) cycles += 1;
    }
  });
  await sleep(WARM_UP_MS);
  isCounting = true;
  const from = performance.now();
  await sleep(durationMs);
  isCounting = false;
  const seconds = (performance.now() - from) / 1_000;
  isOver = true;
  await Promise.all(running);
  return cycles / seconds;
}

/** So many contenders on one key, each with a section of 1 ms, again and again. */
export async function crowded(cycle: Cycle, contenders: number, durationMs: number): Promise<Crowd> {
  const ideal = await backToBack(durationMs / 2);
  const waits: number[] = [];
  let isOver = false;
  const from = performance.now();
  const running = Array.from({ length: contenders }, async () => {
    while (!isOver) {
      const asked = performance.now();
      await cycle('bench:hot:1', async () => {
        waits.push(performance.now() - asked);
        await section();
      });
    }
  });
  await sleep(durationMs);
  const served = waits.length;
  const seconds = (performance.now() - from) / 1_000;
  isOver = true;
  await Promise.all(running);
  const sorted = waits.sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
  return { perSecond: served / seconds, ideal, p50: at(0.5), p99: at(0.99) };
}

async function backToBack(durationMs: number): Promise<number> {
  const from = performance.now();
  let sections = 0;
  while (performance.now() - from < durationMs) {
    await section();
    sections += 1;
  }
  return (sections / (performance.now() - from)) * 1_000;
}

export interface Outage {
  /** Cycles per second before, and when it was over. */
  readonly before: number;
  readonly after: number;
  /** The longest time without a single cycle. */
  readonly pauseMs: number;
  /** Cycles that failed. */
  readonly failed: number;
}

/** What happens to lanes on keys of their own when a node dies. */
export async function throughOutage(cycle: Cycle, lanes: number, kill: () => Promise<void>): Promise<Outage> {
  const ends: number[] = [];
  let failed = 0;
  let isOver = false;
  const running = Array.from({ length: lanes }, async (_, lane) => {
    while (!isOver) {
      try {
        await cycle(`bench:outage:${lane}`, nothing);
        ends.push(performance.now());
      } catch {
        failed += 1;
      }
    }
  });
  await sleep(OUTAGE.beforeMs);
  const killedAt = performance.now();
  await kill();
  await sleep(OUTAGE.afterMs);
  isOver = true;
  await Promise.all(running);
  const rate = (from: number, ms: number) => (ends.filter((end) => end >= from && end < from + ms).length / ms) * 1_000;
  const late = [killedAt, ...ends.filter((end) => end >= killedAt)];
  const pauseMs = Math.max(...late.slice(1).map((end, index) => end - (late[index] ?? end)));
  const { beforeMs, afterMs, settledMs } = OUTAGE;
  const before = rate(killedAt - beforeMs / 2, beforeMs / 2);
  return { before, after: rate(killedAt + afterMs - settledMs, settledMs), pauseMs, failed };
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
