import { LATENCY_BUCKETS } from '../../platform/metrics/metrics.js';

export type BreakerView = 'closed' | 'returning' | 'open';

/** The counts of one instance between two readings, and its load at the second one. */
export interface InstanceSample {
  /** Checkouts that ended, by outcome. */
  readonly checkouts: Readonly<Record<string, number>>;
  /** A histogram: one count per bucket, and one for values beyond the last bucket. */
  readonly durations: readonly number[];
  /** Waits for locks, in the same buckets. */
  readonly lockWaits: readonly number[];
  readonly lockTimeouts: number;
  readonly inFlight: number;
  readonly breaker: BreakerView;
}

/** The present values of counters, which only grow while the process lives. */
export interface Reading {
  readonly checkouts: Readonly<Record<string, number>>;
  readonly durations: readonly number[];
  readonly lockWaits: readonly number[];
  readonly lockTimeouts: number;
}

export const NO_COUNTS: readonly number[] = [...LATENCY_BUCKETS, Infinity].map(() => 0);

export function sampleOf(
  before: Reading,
  now: Reading,
  { inFlight, breaker }: Pick<InstanceSample, 'inFlight' | 'breaker'>,
): InstanceSample {
  const checkouts = Object.entries(now.checkouts)
    .map(([outcome, count]) => [outcome, count - (before.checkouts[outcome] ?? 0)] as const)
    .filter(([, count]) => count > 0);
  return {
    checkouts: Object.fromEntries(checkouts),
    durations: minus(now.durations, before.durations),
    lockWaits: minus(now.lockWaits, before.lockWaits),
    lockTimeouts: now.lockTimeouts - before.lockTimeouts,
    inFlight,
    breaker,
  };
}

/** Nothing was counted, so the sample equals the previous one. */
export function isQuiet({ checkouts, durations, lockWaits, inFlight }: InstanceSample): boolean {
  return Object.keys(checkouts).length === 0 && inFlight === 0 && sum(durations) === 0 && sum(lockWaits) === 0;
}

export function addCounts(all: readonly (readonly number[])[]): number[] {
  return NO_COUNTS.map((_, index) => sum(all.map((counts) => counts[index] ?? 0)));
}

/**
 * In milliseconds: the value below which this share of the counted values lies, interpolated inside its bucket as
 * Prometheus does. Undefined if nothing was counted.
 */
export function quantileMs(counts: readonly number[], share: number): number | undefined {
  const total = sum(counts);
  if (total === 0) return undefined;
  let rank = share * total;
  for (const [index, count] of counts.entries()) {
    if (rank <= count && count > 0) {
      const low = index === 0 ? 0 : (LATENCY_BUCKETS[index - 1] ?? 0);
      const high = LATENCY_BUCKETS[index] ?? low;
      return round((low + (high - low) * (rank / count)) * 1_000);
    }
    rank -= count;
  }
  return round((LATENCY_BUCKETS.at(-1) ?? 0) * 1_000);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function minus(now: readonly number[], before: readonly number[]): number[] {
  return now.map((count, index) => count - (before[index] ?? 0));
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
