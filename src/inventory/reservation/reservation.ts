import type { AllowanceName, Claim } from '../../balance/allowance.js';
import type { Transitions } from '../../common/state-machine.js';
import { type Discount, sumOf } from '../../common/totals.js';
import type { HoldTicket } from './hold-policy.js';
import type { Shortage, StockLine } from '../stock/stock-line.js';
import { couponKey, stockKey } from '../../lock/lock-keys.js';

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

/** What coupons take off, and what is claimed beside the stock. Agreed on when the hold is made, like the prices. */
export interface HoldTerms {
  readonly discounts: readonly Discount[];
  readonly claims: readonly Claim[];
}

/** Goods and what they cost. */
export interface Offer {
  /** Merged per SKU. */
  readonly lines: readonly PricedLine[];
  /** Absent for plain goods: no coupons, and no limits. */
  readonly terms?: HoldTerms | undefined;
}

export interface HoldRequest {
  /** A UUID v7 made by the caller. */
  readonly reservationId: string;
  readonly currency: string;
  /** In order of preference. */
  readonly alternatives: readonly Offer[];
  /** Tells the customer apart from others; absent where nobody knows who it is yet. */
  readonly customer?: string | undefined;
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

/** An allowance that had too little left. */
export interface ExceededAllowance extends AllowanceName {
  readonly requested: number;
  readonly available: number;
}

export type HoldVerdict =
  | { readonly kind: 'granted'; readonly alternative: number; readonly expiresAt: Date }
  | { readonly kind: 'short'; readonly shortages: readonly Shortage[] }
  /** There is enough stock, but not enough of a coupon or of what the customer may have. */
  | { readonly kind: 'exceeded'; readonly allowance: ExceededAllowance };

export interface Adoption {
  readonly reservationId: string;
  readonly sagaId: string;
  readonly orderId: string;
  /** What the order was made for. */
  readonly lines: readonly PricedLine[];
  readonly total: number;
  /** Those of the hold, whose limits count from now on because it is known who buys; or others. */
  readonly terms?: HoldTerms | undefined;
  /** The checkout names coupons of its own. */
  readonly isRepriced?: boolean | undefined;
  readonly customer?: string | undefined;
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
  | { readonly kind: 'exceeded'; readonly allowance: ExceededAllowance }
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
  readonly terms: HoldTerms | null;
  readonly createdAt: Date;
  readonly isOverdue: boolean;
}

export interface ReservationWithLines extends Reservation {
  readonly lines: readonly PricedLine[];
}

/** The state for readers: a hold past its end is EXPIRED, even before the clean-up. */
export function effectiveState(reservation: Pick<Reservation, 'state' | 'isOverdue'>): ReservationState {
  return reservation.isOverdue ? 'EXPIRED' : reservation.state;
}

/** After discounts. */
export function totalOf({ lines, terms }: Offer): number {
  return lines.reduce((sum, line) => sum + line.quantity * line.unitAmount, 0) - sumOf(terms?.discounts ?? []);
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

/** The locks under which goods and their coupons are held. */
export function holdKeys({ lines, terms }: Offer): string[] {
  return [...lines.map(({ sku }) => stockKey(sku)), ...claimKeys(terms?.claims ?? [])];
}

/** A limit is its SKU's: whoever has the SKU's lock is alone with its limits. */
export function claimKeys(claims: readonly Claim[]): string[] {
  return [...new Set(claims.map(({ kind, subject }) => (kind === 'coupon' ? couponKey : stockKey)(subject)))];
}
