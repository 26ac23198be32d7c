import { useEffect, useState } from 'react';
import { useShop } from '../shop.js';
import type { Sale } from './ticket.js';

const LOOK_EVERY_MS = 2_000;

interface OpenSale {
  readonly sale?: Sale;
  readonly error?: unknown;
  /** Opens the next one; the one that is on, if one is. */
  readonly renew: () => void;
}

/** The sale that is on, and how many wait in front of it. */
export function useSale(): OpenSale {
  const { client } = useShop();
  const [round, setRound] = useState(0);
  const [found, setFound] = useState<{ sale?: Sale; error?: unknown }>({});
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const show = (sale: Sale) => {
      if (!signal.aborted) setFound({ sale });
      return sale;
    };
    const watch = async () => {
      let sale = show(await client.openDemoDrop({ signal }));
      while (!signal.aborted && sale.state !== 'ENDED') {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
        if (document.visibilityState === 'visible') sale = show(await client.getSale(sale.id, { signal }));
      }
    };
    watch().catch((error: unknown) => {
      if (!signal.aborted) setFound((before) => ({ ...before, error }));
    });
    return () => stop.abort();
  }, [client, round]);
  return { ...found, renew: () => setRound((before) => before + 1) };
}
