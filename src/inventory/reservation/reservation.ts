import type { Transitions } from '../../common/state-machine.js';
import type { Shortage, StockLine } from '../stock/stock-allocation.js';

export const RESERVATION_STATES = ['HELD', 'COMMITTED', 'RELEASED', 'EXPIRED'] as const;
export type ReservationState = (typeof RESERVATION_STATES)[number];

export const RESERVATION_TRANSITIONS: Transitions<ReservationState> = {
  HELD: ['COMMITTED', 'RELEASED', 'EXPIRED'],
  COMMITTED: [],
  RELEASED: [],
  EXPIRED: [],
};

/** A line with the price the customer was shown: frozen when the hold was made. */
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
}

export type AdoptionVerdict =
  | {
      readonly kind: 'adopted';
      readonly lines: readonly PricedLine[];
      readonly currency: string;
      readonly total: number;
      readonly expiresAt: Date;
    }
  | { readonly kind: 'missing' }
  /** Also EXPIRED where it is past its end and only not swept yet. */
  | { readonly kind: 'ended'; readonly state: Exclude<ReservationState, 'HELD'>; readonly expiresAt: Date }
  /** Another checkout has it. */
  | { readonly kind: 'busy' };

/** As it is stored. `isOverdue`: past its end, pinned by nobody, and only not swept yet. */
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

/** What a reader sees: a hold that is over is over, whether or not the clean-up has come by. */
export function effectiveState(reservation: Pick<Reservation, 'state' | 'isOverdue'>): ReservationState {
  return reservation.isOverdue ? 'EXPIRED' : reservation.state;
}

export function totalOf(lines: readonly PricedLine[]): number {
  return lines.reduce((sum, line) => sum + line.quantity * line.unitAmount, 0);
}
