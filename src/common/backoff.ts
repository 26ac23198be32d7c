export interface BackoffPolicy {
  readonly baseMs: number;
  readonly capMs: number;
}

/** Capped exponential backoff with equal jitter (half fixed, half random): callers that failed together do not retry together. */
export function backoffMs(policy: BackoffPolicy, attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(policy.capMs, policy.baseMs * 2 ** Math.min(attempt - 1, 30));
  return Math.max(1, Math.round(ceiling / 2 + (ceiling / 2) * random()));
}

/** Resolves after `ms`, or at once when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
