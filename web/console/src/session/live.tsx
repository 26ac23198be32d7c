import type { Answer } from '@checkout-saga/client';
import { createContext, type ReactNode, use } from 'react';
import { type Loaded, useLoaded } from '../data/use-loaded.js';
import { useClient } from './session.js';

type Attention = Answer<'listAttention'>;
type Overview = Answer<'getOverview'>;

interface Live {
  readonly attention: Loaded<Attention>;
  readonly overview: Loaded<Overview>;
}

const EVERY_MS = 5_000;

const LiveContext = createContext<Live | null>(null);

/** What every view shows a part of, read once for all of them. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useClient();
  const attention = useLoaded('attention', (signal) => client.listAttention({ signal }), EVERY_MS);
  const overview = useLoaded('overview', (signal) => client.getOverview({ signal }), EVERY_MS);
  return <LiveContext value={{ attention, overview }}>{children}</LiveContext>;
}

export function useLive(): Live {
  const live = use(LiveContext);
  if (!live) throw new Error('useLive outside of a session');
  return live;
}
