import type { Answer } from '@checkout-saga/client';
import { useEffect, useState } from 'react';
import { useShop } from '../shop.js';
import type { Line } from './basket-state.js';

export type Quote = Answer<'quote'>;

interface Quoted {
  readonly quote?: Quote;
  readonly error?: unknown;
  /** Whether it is of the lines as they are now. */
  readonly isFresh: boolean;
}

/** What lines cost now, and whether they can be had. The one before stays while a new one is asked for. */
export function useQuote(currency: string, lines: readonly Line[]): Quoted {
  const { client } = useShop();
  const [answer, setAnswer] = useState<{ wanted: string; quote?: Quote; error?: unknown }>({ wanted: '' });
  const wanted = JSON.stringify(lines.map(({ sku, quantity }) => ({ sku, quantity })));
  useEffect(() => {
    if (wanted === '[]') return;
    const stop = new AbortController();
    client.quote({ currency, lines: JSON.parse(wanted) as Line[] }, { signal: stop.signal }).then(
      (quote) => setAnswer({ wanted, quote }),
      (error: unknown) => {
        if (!stop.signal.aborted) setAnswer({ wanted, error });
      },
    );
    return () => stop.abort();
  }, [client, currency, wanted]);
  const { quote, error } = answer;
  return { ...(quote && { quote }), ...(error !== undefined && { error }), isFresh: answer.wanted === wanted };
}
