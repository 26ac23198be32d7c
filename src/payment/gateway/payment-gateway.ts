export const PAYMENT_GATEWAY = Symbol('PAYMENT_GATEWAY');

export interface ChargeRequest {
  /** Ours, stable per saga and operation: the same key never charges twice. */
  readonly idempotencyKey: string;
  readonly orderId: string;
  readonly amount: number;
  readonly currency: string;
  readonly method: string;
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

export type LookupRequest = { readonly orderId: string; readonly idempotencyKey: string };

/** A callback whose signature was good, in our words. */
export interface WebhookEvent {
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

/**
 * The outside party. No call runs inside a database transaction, every call is bounded by `signal`. A call that ends
 * without a definite answer (timeout, broken connection, 5xx) throws GatewayUnknownError; the caller looks up by key.
 */
export interface PaymentGateway {
  readonly provider: string;
  /** Of the card behind a method, where the provider has such a thing; undefined if it knows no such card. */
  fingerprintOf?(method: string, signal: AbortSignal): Promise<string | undefined>;
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult>;
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundResult>;
  /** The charge made under our key; undefined if the provider knows none, after which the key may be used again. */
  lookupCharge(request: LookupRequest, signal: AbortSignal): Promise<ChargeResult | undefined>;
  lookupRefund(
    request: LookupRequest & { transactionId: string },
    signal: AbortSignal,
  ): Promise<RefundResult | undefined>;
  /** Gives up a charge that waits for the customer, so that it cannot be captured later. Answers what it ended as. */
  cancelCharge(request: LookupRequest & { transactionId: string }, signal: AbortSignal): Promise<ChargeResult>;
  /** Verifies the signature on the raw body; throws InvalidSignatureError. */
  parseWebhook(rawBody: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): WebhookEvent;
  /** The provider's ledger in pages, from `since` on, in the provider's own order. */
  listCharges(since: Date, signal: AbortSignal): AsyncIterable<readonly LedgerCharge[]>;
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
