import { useSyncExternalStore } from 'react';

/** A value that components see change. */
export interface Observable<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createObservable<T>(initial: T): Observable<T> {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useObservable<T>({ subscribe, get }: Observable<T>): T {
  return useSyncExternalStore(subscribe, get);
}
