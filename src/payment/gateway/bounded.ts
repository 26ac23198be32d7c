import { GatewayUnknownError } from './payment-gateway.js';

/** One listener per signal, however many calls it bounds: a batch of charges shares its signal. */
interface Watch {
  readonly waiting: Set<() => void>;
  readonly onAbort: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Ends with the work or with the signal, whichever comes first; does not begin when the signal came first. Work that
 * began goes on: a request that has left cannot be called back, so an abort means "unknown", never "did not happen".
 */
export function bounded<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new GatewayUnknownError('the payment provider did not answer in time'));
    if (signal.aborted) {
      giveUp();
      return;
    }
    const running = work();
    watch(signal, giveUp);
    running.then(
      (value) => {
        unwatch(signal, giveUp);
        resolve(value);
      },
      (error: unknown) => {
        unwatch(signal, giveUp);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

/** Waits for the signal and for nothing else. */
export function neverAnswers(signal: AbortSignal): Promise<never> {
  return bounded(() => new Promise<never>(() => undefined), signal);
}

function watch(signal: AbortSignal, giveUp: () => void): void {
  const existing = watches.get(signal);
  if (existing) {
    existing.waiting.add(giveUp);
    return;
  }
  const waiting = new Set([giveUp]);
  const onAbort = (): void => {
    watches.delete(signal);
    for (const each of waiting) each();
  };
  watches.set(signal, { waiting, onAbort });
  signal.addEventListener('abort', onAbort, { once: true });
}

/** The last one out removes the listener, which would keep a timeout's signal alive until it fires. */
function unwatch(signal: AbortSignal, giveUp: () => void): void {
  const existing = watches.get(signal);
  if (!existing?.waiting.delete(giveUp) || existing.waiting.size > 0) return;
  watches.delete(signal);
  signal.removeEventListener('abort', existing.onAbort);
}
