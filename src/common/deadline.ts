/**
 * The one place where a wait gets its end. Work that outlives its deadline goes on by itself: its late result and its
 * late rejection are ignored, because what has been sent cannot be called back.
 */

/** Settles as the work does, or rejects after `ms` with the error that `onTimeout` makes. */
export function within<T>(
  ms: number,
  work: Promise<T>,
  onTimeout: () => Error = () => new Error(`no answer within ${ms} ms`),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(onTimeout()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Whether the work is done after `ms` at the latest. Throws what the work rejects with. */
export function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), ms);
    work.then(() => resolve(true), reject).finally(() => clearTimeout(timer));
  });
}

/** Settles as the work does, or rejects when the signal aborts, by default with the signal's reason. */
export function untilAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
  onAbort: () => Error = () => reasonOf(signal),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(onAbort());
    if (signal.aborted) giveUp();
    else watch(signal, giveUp);
    work.then(resolve, reject).finally(() => unwatch(signal, giveUp));
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted');
}

/** One listener per signal, however many waits it ends: a batch of gateway calls shares its signal. */
interface Watch {
  readonly waiting: Set<() => void>;
  readonly onAbort: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

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

/** The last wait removes the listener, which would otherwise keep a timeout's signal alive until it fires. */
function unwatch(signal: AbortSignal, giveUp: () => void): void {
  const existing = watches.get(signal);
  if (!existing?.waiting.delete(giveUp) || existing.waiting.size > 0) return;
  watches.delete(signal);
  signal.removeEventListener('abort', existing.onAbort);
}
