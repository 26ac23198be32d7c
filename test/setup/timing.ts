import { setTimeout as sleep } from 'node:timers/promises';
import { starvedMs } from './starvation.js';

export { sleep };

export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const MAX_ATTEMPTS = 6;
const LOOK_EVERY_MS = 10;
let lookedAt = performance.now();
let stalledMs = 0;
setInterval(() => {
  stalledMs = stalledUntil(performance.now());
  lookedAt = performance.now();
}, LOOK_EVERY_MS).unref();

/**
 * A clock that stands still while this thread does not run: neither a stall of the machine nor a queue at its processors is
 * the lock's doing.
 */
export function runningMs(): number {
  const now = performance.now();
  return now - Math.max(stalledUntil(now), starvedMs('thread-self'));
}

function stalledUntil(now: number): number {
  return stalledMs + Math.max(0, now - lookedAt - 2 * LOOK_EVERY_MS);
}

/**
 * The smallest of several measurements, which end as soon as one is below the limit: what else the machine does only ever
 * adds to a duration, and what is too slow by itself is so every time.
 */
export async function smallest(limit: number, measure: (attempt: number) => Promise<number>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && best >= limit; attempt += 1) {
    best = Math.min(best, await measure(attempt));
  }
  return best;
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** Milliseconds until the signal aborts, stalls not counted. */
export function untilAborted(signal: AbortSignal): Promise<number> {
  const from = runningMs();
  return new Promise((resolve) => {
    if (signal.aborted) resolve(0);
    else signal.addEventListener('abort', () => resolve(runningMs() - from), { once: true });
  });
}
