import { useEffect, useEffectEvent, useState } from 'react';

export interface Followed<T> {
  /** The latest; undefined until the first has come. */
  readonly value?: T;
  /** Why it ended, if it did not end by itself. */
  readonly error?: unknown;
}

/**
 * What an endless answer of the client says, as it comes. `name` says what is followed: another name is followed anew. A page
 * that nobody sees follows nothing, because a browser has only six connections to a host for all of its tabs.
 */
export function useFollowed<T>(name: string, follow: (signal: AbortSignal) => AsyncIterable<T>): Followed<T> {
  const [followed, setFollowed] = useState<Followed<T> & { name: string }>({ name });
  const begin = useEffectEvent(follow);
  useEffect(() => {
    let stop = new AbortController();
    const run = async ({ signal }: AbortController) => {
      try {
        for await (const value of begin(signal)) if (!signal.aborted) setFollowed({ name, value });
      } catch (error) {
        if (!signal.aborted) setFollowed((before) => ({ ...before, name, error }));
      }
    };
    const turn = () => {
      stop.abort();
      if (document.visibilityState !== 'visible') return;
      stop = new AbortController();
      void run(stop);
    };
    turn();
    document.addEventListener('visibilitychange', turn);
    return () => {
      stop.abort();
      document.removeEventListener('visibilitychange', turn);
    };
  }, [name]);
  return followed.name === name ? followed : {};
}
