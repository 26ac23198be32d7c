import { backoffMs } from '../common/backoff.js';

/** The part of a BullMQ worker that is needed here. */
export interface PausableWorker {
  on(event: 'error', listener: (error: Error) => void): unknown;
  pause(doNotWaitForJobs: boolean): Promise<void>;
  resume(): Promise<void>;
}

const PAUSE = { baseMs: 100, capMs: 2_000 };
/** Errors that are further apart are not part of the same problem. */
const CALM_MS = 10_000;

/**
 * BullMQ's worker asks for the next job at once when the store has refused the last request (NOPERM, READONLY, too many
 * connections), as fast as the store can refuse. So it rests after each error, longer each time. Deliveries under way
 * continue.
 */
export function pauseAfterErrors(worker: PausableWorker): { stop(): void } {
  let errors = 0;
  let lastAt = -Infinity;
  let resuming: NodeJS.Timeout | undefined;
  let isStopped = false;
  worker.on('error', () => {
    if (isStopped || resuming) return;
    const now = performance.now();
    errors = now - lastAt > CALM_MS ? 1 : errors + 1;
    lastAt = now;
    worker.pause(true).catch(() => undefined);
    resuming = setTimeout(
      () => {
        resuming = undefined;
        worker.resume().catch(() => undefined);
      },
      backoffMs(PAUSE, errors),
    );
    resuming.unref();
  });
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(resuming);
    },
  };
}
