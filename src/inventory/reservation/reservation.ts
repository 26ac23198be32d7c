import type { Transitions } from '../../common/state-machine.js';
import type { HoldTicket } from './hold-policy.js';
import type { Shortage, StockLine } from '../stock/stock-allocation.js';

export const RESERVATION_STATES = ['HELD', 'COMMITTED', 'RELEASED', 'EXPIRED'] as const;
export type ReservationState = (typeof RESERVATION_STATES)[number];

export const RESERVATION_TRANSITIONS: Transitions<ReservationState> = {
  HELD: ['COMMITTED', 'RELEASED', 'EXPIRED'],
  COMMITTED: [],
  RELEASED: [],
  EXPIRED: [],
};

/** A line with the price that the customer was shown, fixed when the hold was made. */
export interface PricedLine extends StockLine {
  readonly name: string;
  readonly unitAmount: number;
}

export interface HoldRequest {
  /** A UUID v7 made by the caller. */
  readonly reservationId: string;
  readonly currency: string;
  /** In order of preference, each merged per SKU. */
  readonly alternatives: readonly (readonly PricedLine[])[];
  readonly ttlSeconds: number;
  /** Where the prices are cached: what they must still be, or the transaction fails with GuardFailedError. */
  readonly versions?: Readonly<Record<string, number>> | undefined;
  readonly orderId?: string;
  /** The saga that works with the hold: the clean-up leaves it alone until it is unpinned. */
  readonly pinnedBy?: string;
  /** That the hold uses up: see HoldPolicy. */
  readonly tickets?: readonly HoldTicket[];
  /** Proven by a JWT. */
  readonly customerId?: string | undefined;
}

export type HoldVerdict =
  | { readonly kind: 'granted'; readonly alternative: number; readonly expiresAt: Date }
  | { readonly kind: 'short'; readonly shortages: readonly Shortage[] };

export interface Adoption {
  readonly reservationId: string;
  readonly sagaId: string;
  readonly orderId: string;
  /** What the order was made for. */
  readonly lines: readonly PricedLine[];
}

/** A hold that goes back to its customer. */
export interface GivenBack {
  readonly reservationId: string;
  readonly orderId: string;
  /** When it ends, where a checkout has prolonged it meanwhile. */
  readonly ownEnd?: string | undefined;
}

export type AdoptionVerdict =
  | { readonly kind: 'adopted'; readonly expiresAt: Date }
  | { readonly kind: 'missing' }
  /** Also EXPIRED if it has passed its end and is not cleaned up yet. */
  | { readonly kind: 'ended'; readonly state: Exclude<ReservationState, 'HELD'>; readonly expiresAt: Date }
  /** Its customer has changed the lines since the order was made. */
  | {
      readonly kind: 'changed';
      readonly lines: readonly PricedLine[];
      readonly currency: string;
      readonly total: number;
    }
  /** Another checkout has it. */
  | { readonly kind: 'busy' };

/** As it is stored. `isOverdue`: past its end, not pinned, and not cleaned up yet. */
export interface Reservation {
  readonly id: string;
  readonly state: ReservationState;
  readonly currency: string;
  readonly total: number;
  readonly alternative: number;
  readonly expiresAt: Date;
  readonly extendedSeconds: number;
  readonly orderId: string | null;
  readonly pinnedBy: string | null;
  readonly customerId: string | null;
  readonly isOverdue: boolean;
}

export interface ReservationWithLines extends Reservation {
  readonly lines: readonly PricedLine[];
}

/** The state for readers: a hold past its end is EXPIRED, even before the clean-up. */
export function effectiveState(reservation: Pick<Reservation, 'state' | 'isOverdue'>): ReservationState {
  return reservation.isOverdue ? 'EXPIRED' : reservation.state;
}

export function totalOf(lines: readonly PricedLine[]): number {
  return lines.reduce((sum, line) => sum + line.quantity * line.unitAmount, 0);
}

/** Whether they stand for the same goods at the same prices, in whatever order. */
export function areSameLines(some: readonly PricedLine[], others: readonly PricedLine[]): boolean {
  const bySku = new Map(others.map((line) => [line.sku, line]));
  return (
    some.length === others.length &&
    some.every(({ sku, quantity, unitAmount }) => {
      const other = bySku.get(sku);
      return other?.quantity === quantity && other.unitAmount === unitAmount;
    })
  );
}
