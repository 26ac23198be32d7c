export const PAYMENT_GATEWAY = Symbol('PAYMENT_GATEWAY');

export interface ChargeRequest {
  /** Ours, stable per saga and operation: the same key never charges twice. */
  readonly idempotencyKey: string;
  readonly orderId: string;
  readonly amount: number;
  readonly currency: string;
  readonly method: string;
  /** Where the customer goes after an authentication; the provider's own setting if absent. */
  readonly returnUrl?: string | undefined;
}

/** What the customer has to do. Some providers send the customer away, others show a challenge in the storefront. */
export type NextAction =
  | { readonly type: 'redirect_to_url'; readonly url: string }
  | { readonly type: 'use_stripe_sdk'; readonly clientSecret: string };

/** What the provider says about a charge. A definite answer; "we do not know" is a thrown GatewayUnknownError. */
export type ChargeResult =
  | { readonly kind: 'captured'; readonly transactionId: string }
  | {
      readonly kind: 'declined';
      readonly transactionId?: string;
      readonly declineCode: string;
      /** Of the card, where the provider tells: the same for every token of one card. */
      readonly fingerprint?: string;
    }
  | { readonly kind: 'requires_action'; readonly transactionId: string; readonly nextAction: NextAction }
  /** The provider is still at work on it: ask again later. */
  | { readonly kind: 'processing'; readonly transactionId: string };

export interface RefundRequest {
  readonly idempotencyKey: string;
  readonly orderId: string;
  readonly transactionId: string;
  readonly amount: number;
  readonly currency: string;
}

export type RefundResult =
  | { readonly kind: 'settled'; readonly refundId: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'processing'; readonly refundId: string };

export interface LookupRequest {
  readonly orderId: string;
  readonly idempotencyKey: string;
}

export interface ChargeLookup extends LookupRequest {
  /** When we intended the charge: the provider has none under this key that is older. */
  readonly intendedAt: Date;
}

/** A callback whose signature was good, in our words. */
export interface CallbackEvent {
  readonly id: string;
  readonly type: 'charge.captured' | 'charge.declined' | 'refund.settled' | 'refund.failed' | 'ignored';
  readonly transactionId: string;
  readonly orderId?: string;
  readonly amount?: number;
  readonly declineCode?: string;
  readonly refundId?: string;
  readonly occurredAt: Date;
}

/** A row of the provider's own ledger, for reconciliation. */
export interface LedgerCharge {
  readonly id: string;
  readonly orderId: string;
  readonly amount: number;
  readonly refundedAmount: number;
  readonly currency: string;
  readonly state: 'PENDING' | 'CAPTURED' | 'DECLINED' | 'REFUNDED' | 'CANCELLED';
  /** Ours, if the provider kept it: finds the payment whose transaction id we never learnt. */
  readonly idempotencyKey?: string;
  readonly createdAt: Date;
}

/** A charge as it stands now, with what it came to. */
export interface KnownCharge extends LedgerCharge {
  readonly result: ChargeResult;
}

/** A refund as it stands now: it may have failed days after it had settled. */
export interface KnownRefund {
  readonly id: string;
  readonly transactionId: string;
  readonly orderId?: string;
  readonly amount: number;
  readonly idempotencyKey?: string;
  readonly result: RefundResult;
}

/**
 * The outside party. No call runs inside a database transaction, every call is bounded by `signal`. A call that ends
 * without a definite answer (timeout, broken connection, 5xx) throws GatewayUnknownError; the caller looks up by key.
 */
export interface PaymentGateway {
  readonly provider: string;
  /** Of the card behind a method, where the provider has such a thing; undefined if it knows no such card. */
  fingerprintOf?(method: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * For how long after its first use the provider remembers an idempotency key, at least; undefined where it never forgets.
   * A charge that is sent again under a forgotten key is a second charge.
   */
  readonly keyMemoryMs: number | undefined;
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult>;
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundResult>;
  /** By the provider's own id, however old; undefined if it knows no such charge, or it is not ours. */
  retrieveCharge(transactionId: string, signal: AbortSignal): Promise<KnownCharge | undefined>;
  retrieveRefund(refundId: string, signal: AbortSignal): Promise<KnownRefund | undefined>;
  /**
   * The charge made under our key, however long ago; undefined if the provider has none. That does not make it safe to
   * charge: a request may still be on its way, and only a key that the provider remembers makes two of them one.
   */
  lookupCharge(request: ChargeLookup, signal: AbortSignal): Promise<ChargeResult | undefined>;
  /** Among all refunds of the charge, so that "none" is certain but for a request that is on its way. */
  lookupRefund(
    request: LookupRequest & { transactionId: string },
    signal: AbortSignal,
  ): Promise<RefundResult | undefined>;
  /**
   * Gives up a charge that waits for the customer, so that it cannot be captured later. Answers what it ended as, or
   * `processing` where the provider is at work on it and lets nobody interfere.
   */
  cancelCharge(request: LookupRequest & { transactionId: string }, signal: AbortSignal): Promise<ChargeResult>;
  /** Verifies the signature on the raw body; throws InvalidSignatureError. */
  parseWebhook(rawBody: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): CallbackEvent;
  /** The provider's ledger in pages: charges that were made or have changed from `since` on, each once, as they stand now. */
  listCharges(since: Date, signal: AbortSignal): AsyncIterable<readonly LedgerCharge[]>;
  /** Refunds that have failed from `since` on, however long ago they were made. */
  listFailedRefunds(since: Date, signal: AbortSignal): AsyncIterable<readonly KnownRefund[]>;
}

/** The outcome is unknown: the provider may or may not have acted. */
export class GatewayUnknownError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GatewayUnknownError';
  }
}

/**
 * The provider refused the request itself: bad credentials, or a key that was used for another request. This call moved
 * no money and repeating it cannot help, but it is no decline either: an earlier call under the key may have charged.
 */
export class GatewayRequestError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GatewayRequestError';
  }
}

/** A signature that does not match, a timestamp that is too old, or a body that is not an event. */
export class InvalidSignatureError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidSignatureError';
  }
}
