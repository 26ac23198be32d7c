import { useSyncExternalStore } from 'react';

const SECOND_MS = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, SECOND_MS / 4);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time in whole seconds, as milliseconds: one timer for all clocks of a page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / SECOND_MS) * SECOND_MS);
}
