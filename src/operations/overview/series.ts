import { addCounts, type InstanceSample, quantileMs, sum } from './instance-sample.js';
import type { Overview } from './overview.dto.js';
import type { SampleRow } from './overview.repository.js';

const POINT_MS = 5_000;

/** Checkouts per second over several instances, each of which has samples of its own length. */
export function ratesOf(rows: readonly Pick<SampleRow, 'sample'>[], seconds: number): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { sample } of rows)
    for (const [outcome, count] of Object.entries(sample.checkouts))
      counts.set(outcome, (counts.get(outcome) ?? 0) + count);
  return Object.fromEntries([...counts].map(([outcome, count]) => [outcome, round(count / seconds)]));
}

export function latencyOf(samples: readonly InstanceSample[]) {
  const counts = addCounts(samples.map(({ durations }) => durations));
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };

  function at(share: number): number | null {
    return quantileMs(counts, share) ?? null;
  }
}

/** One point every five seconds. Where no sample was stored, the value is zero. */
export function seriesOf(rows: readonly SampleRow[], now: number, seconds: number): Overview['series'] {
  const end = Math.floor(now / POINT_MS) * POINT_MS;
  const points = new Map<number, SampleRow[]>();
  for (let at = end - seconds * 1_000; at <= end; at += POINT_MS) points.set(at, []);
  for (const row of rows) points.get(Math.floor(row.at.getTime() / POINT_MS) * POINT_MS)?.push(row);
  return [...points].map(([at, own]) => {
    const { p50Ms, p99Ms } = latencyOf(own.map(({ sample }) => sample));
    return { at: new Date(at).toISOString(), perSecond: ratesOf(own, POINT_MS / 1_000), p50Ms, p99Ms };
  });
}

export function totalOf(perSecond: Readonly<Record<string, number>>): number {
  return round(sum(Object.values(perSecond)));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
