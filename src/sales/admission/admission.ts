import type { Sale } from '../sale.js';

/**
 * How much of the past a round may make up for. Longer than a crashed instance is missed, short enough that an idle queue
 * does not save up admissions for a rush.
 */
const MAX_ARREARS_MS = 5_000;

export type Pace = Pick<
  Sale,
  'startsAt' | 'advancedAt' | 'admitPerSecond' | 'maxActive' | 'issued' | 'admitted' | 'pausedAt'
>;

export interface Advance {
  readonly granted: number;
  /** Until when the rate is used up: behind the present by what is left over for the next round. */
  readonly advancedAt: Date;
}

/**
 * How many are called now. It follows from what is stored, not from who asks how often: any instance may compute it, after
 * any pause, and those who compute it at once come to the same.
 */
export function advance(sale: Pace, active: number, now: Date): Advance {
  const since = Math.max(sale.startsAt.getTime(), sale.advancedAt?.getTime() ?? 0, now.getTime() - MAX_ARREARS_MS);
  if (since > now.getTime() || sale.pausedAt) return { granted: 0, advancedAt: now };
  const allowed = Math.floor(((now.getTime() - since) / 1_000) * sale.admitPerSecond + 1e-9);
  const room = Math.max(0, sale.maxActive - active);
  const granted = Math.min(allowed, room, sale.issued - sale.admitted);
  // What was allowed and had no taker is gone; a fraction of a place is kept.
  const usedMs = (allowed / sale.admitPerSecond) * 1_000;
  return { granted, advancedAt: new Date(Math.min(now.getTime(), since + usedMs)) };
}
