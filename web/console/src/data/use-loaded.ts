import { isProblem } from '@checkout-saga/client';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { adminKey } from '../session/session.js';

export interface Loaded<T> {
  /** The latest; undefined until the first has come. What is shown stays while the next one is on its way. */
  readonly value?: T;
  /** Why the last attempt failed. */
  readonly error?: unknown;
  readonly reload: () => void;
}

interface State<T> {
  readonly name: string;
  readonly value?: T;
  readonly error?: unknown;
}

/**
 * What a call answers. `name` says what is asked for: another name is asked for anew. With `everyMs` it is asked for again
 * and again, while somebody sees the page.
 */
export function useLoaded<T>(name: string, load: (signal: AbortSignal) => Promise<T>, everyMs?: number): Loaded<T> {
  const [state, setState] = useState<State<T>>({ name });
  const [round, setRound] = useState(0);
  const begin = useEffectEvent(load);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      timer = undefined;
      try {
        const value = await begin(signal);
        if (!signal.aborted) setState({ name, value });
      } catch (error) {
        if (signal.aborted) return;
        if (isProblem(error) && error.code === 'UNAUTHENTICATED') adminKey.set(null);
        setState((before) => (before.name === name ? { ...before, error } : { name, error }));
      }
      if (!signal.aborted && everyMs !== undefined) timer = setTimeout(() => void whenSeen(), everyMs);
    };
    const whenSeen = async () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') await ask();
      else timer = setTimeout(() => void whenSeen(), everyMs);
    };
    // Who comes back to the page, or to the network, does not wait for the next round.
    const resume = () => {
      if (timer !== undefined) void whenSeen();
    };
    addEventListener('online', resume, { signal });
    document.addEventListener('visibilitychange', resume, { signal });
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [name, everyMs, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return state.name === name ? { ...state, reload } : { reload };
}
