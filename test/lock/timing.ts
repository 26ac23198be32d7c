import { setTimeout as sleep } from 'node:timers/promises';

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

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** Milliseconds until the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<number> {
  const from = performance.now();
  return new Promise((resolve) => {
    if (signal.aborted) resolve(0);
    else signal.addEventListener('abort', () => resolve(performance.now() - from), { once: true });
  });
}
