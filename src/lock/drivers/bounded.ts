import { backoffMs } from '../../common/backoff.js';
import { within } from '../../common/deadline.js';
import type { AcquireRequest, Holding } from '../lock-driver.js';

/** The store did not answer in time. The command may still be executed. */
export class StoreTimeoutError extends Error {
  constructor(ms: number) {
    super(`the lock store did not answer within ${ms} ms`);
    this.name = 'StoreTimeoutError';
  }
}

/** The store has been away for so long that there is no point in asking it again soon. */
export class StoreAwayError extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'StoreAwayError';
  }
}

export function bounded<T>(work: Promise<T>, ms: number): Promise<T> {
  return within(ms, work, () => new StoreTimeoutError(ms));
}

const REPEATED = { attempts: 6, baseMs: 50, capMs: 2_000 };

/**
 * Releases an acquire with an unknown outcome: it may have been executed, or may yet be (a ghost lock). Its owner id
 * was used for this attempt only, so the release cannot hit anything else.
 */
export function compensate(
  { keys, owner, since, leaseMs }: AcquireRequest,
  release: (holding: Holding) => Promise<void>,
): Promise<void> {
  return releaseAnyway({ keys, owner, since, token: 0n }, leaseMs, release);
}

/** Repeats a release that fails. Gives up when the lease, of which `leftMs` are left, would have ended anyway. */
export async function releaseAnyway(
  holding: Holding,
  leftMs: number,
  release: (holding: Holding) => Promise<void>,
): Promise<void> {
  const over = performance.now() + leftMs;
  for (let attempt = 1; attempt <= REPEATED.attempts; attempt += 1) {
    try {
      await release(holding);
      return;
    } catch {
      const pauseMs = backoffMs(REPEATED, attempt);
      if (performance.now() + pauseMs >= over) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    }
  }
}
