import { customerKeyOf, nameClaims, type NamedClaim } from '../balance/allowance.js';
import type { CreditShare, Priced } from '../common/totals.js';
import type { HoldTicket } from '../inventory/reservation/hold-policy.js';
import type { ClaimedKey } from '../orders/claim-keys.js';
import type { HoldTerms, ReservationState } from '../inventory/reservation/reservation.js';
import type { OrderLine } from '../orders/order.entity.js';
import type { ChargeResult } from '../payment/gateway/payment-gateway.js';
import type { RefundOrder } from '../payment/refund.service.js';
import type { SagaFailure } from '../saga/saga.errors.js';

/** Where a checkout came from, for the limits on declined payments; nothing in it names anybody. */
export interface CheckoutSource {
  /** Keyed hash of the buyer's network. */
  readonly address: string;
  /** The customer's id is that of a JWT, not one that the caller claims. */
  readonly isProven: boolean;
}

/** As it stood when the checkout was refused. */
export interface KeptHold {
  readonly id: string;
  readonly state: ReservationState;
  readonly expiresAt: string;
}

/** What a checkout knows about itself. Stored with the saga: enough to go on, and to answer, on any instance. */
export interface CheckoutData {
  readonly sagaId: string;
  readonly orderId: string;
  readonly paymentId: string;
  readonly reservationId: string;
  /** The reservation existed before: phase two of a hold. */
  readonly isAdopted: boolean;
  /** A direct checkout leaves its hold to the customer if it is not paid. */
  readonly holdOnDecline?: boolean | undefined;
  /** Where the customer goes after an authentication. */
  readonly returnUrl?: string | undefined;
  /** Only until the first transaction has claimed it. */
  readonly key?: ClaimedKey | undefined;
  /** Where the prices are cached: the versions of the SKUs they came from, until the first transaction has held them. */
  readonly versions?: Readonly<Record<string, number>> | undefined;
  /** Of sales whose goods are bought: used up with the hold. */
  readonly tickets?: readonly HoldTicket[] | undefined;
  /** Absent where limits are off. */
  readonly source?: CheckoutSource | undefined;
  readonly customer: { readonly id?: string | undefined; readonly email?: string | undefined };
  readonly currency: string;
  readonly lines: readonly OrderLine[];
  /** What is owed for the goods. What the card pays of it is `amountDue`. */
  readonly total: number;
  /** Coupons and limits; absent for plain goods. */
  readonly terms?: HoldTerms | undefined;
  /** The coupons are the checkout's own, not those of the hold that it buys. */
  readonly isRepriced?: boolean | undefined;
  /** The accounts that pay a part. Their amounts are 0 until they are held. */
  readonly credit?: readonly CreditShare[] | undefined;
  /** Absent where nothing is left for a card, or must not be. */
  readonly method?: string | undefined;
  /** The card is only authorised; what it pays is captured later. */
  readonly capture?: 'manual' | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly expiresAt?: string;
  /** When the hold would end, had it not been prolonged for an authentication. */
  readonly ownEnd?: string | undefined;
  /** The hold that the customer has after the checkout was refused. */
  readonly keptHold?: KeptHold;
  readonly charge?: ChargeResult;
  /** Nobody knows yet what became of the last call. */
  readonly isInDoubt?: boolean | undefined;
  /** Until when the customer may complete an authentication. */
  readonly actionDeadline?: number;
  readonly refund?: RefundOrder;
}

/** Whether the hold is the customer's if the checkout comes to nothing. */
export function isHoldKept({ isAdopted, holdOnDecline }: CheckoutData): boolean {
  return isAdopted || holdOnDecline === true;
}

/** Whether the saga has held on to its reservation since it made it: until a wait unpins it, nobody can end it. */
export function isPinned(data: CheckoutData): boolean {
  return data.actionDeadline === undefined;
}

/** Neither coupons nor limits nor credit: the first transaction may write without a look. */
export function isPlain({ terms, credit }: CheckoutData): boolean {
  return terms === undefined && credit === undefined;
}

export function paysByCredit({ credit }: CheckoutData): boolean {
  return credit !== undefined;
}

/** What its hold has of coupons and limits. */
export function claimsOf({ terms, customer }: CheckoutData): readonly NamedClaim[] {
  return terms ? nameClaims(terms.claims, customerKeyOf(customer)) : [];
}

export function pricedOf({ total, terms, credit }: CheckoutData): Priced {
  return { total, discounts: terms?.discounts, credit };
}

export type CheckoutOutcome =
  | { readonly kind: 'confirmed'; readonly at: string }
  | { readonly kind: 'rejected'; readonly at: string; readonly failure: SagaFailure };

/** Stable per saga and operation: after any crash the provider sees the same key again and charges once. */
export function chargeKeyOf(data: { readonly sagaId: string }): string {
  return `charge:${data.sagaId}`;
}
