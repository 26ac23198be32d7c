import type { Dispute } from '../dispute.js';

export const PAYMENT_GATEWAY = Symbol('PAYMENT_GATEWAY');

export interface ChargeRequest {
  /** Ours, and stable per saga and operation: the same key never charges twice. */
  readonly idempotencyKey: string;
  readonly orderId: string;
  readonly amount: number;
  readonly currency: string;
  readonly method: string;
  /** Where the customer goes after an authentication; the provider's own setting if absent. */
  readonly returnUrl?: string | undefined;
  /** The amount is only authorised; `captureCharge` takes it later, or a part of it. */
  readonly capture?: 'manual' | undefined;
}

/** What the customer has to do. Some providers redirect the customer, others show a challenge in the storefront. */
export type NextAction =
  | { readonly type: 'redirect_to_url'; readonly url: string }
  | { readonly type: 'use_stripe_sdk'; readonly clientSecret: string };

/** The provider's definite answer about a charge. An unknown outcome is a thrown GatewayUnknownError. */
export type ChargeResult =
  | { readonly kind: 'captured'; readonly transactionId: string }
  /** The amount is blocked on the card, and nothing was taken. The provider may say until when, in RFC 3339. */
  | { readonly kind: 'authorized'; readonly transactionId: string; readonly authorizedUntil?: string }
  | {
      readonly kind: 'declined';
      readonly transactionId?: string;
      readonly declineCode: string;
      /** Identifies the card across all tokens of it, if the provider supports that. */
      readonly fingerprint?: string;
    }
  | { readonly kind: 'requires_action'; readonly transactionId: string; readonly nextAction: NextAction }
  /** The provider is still processing it: ask again later. */
  | { readonly kind: 'processing'; readonly transactionId: string };

export interface CaptureRequest {
  readonly idempotencyKey: string;
  readonly orderId: string;
  readonly transactionId: string;
  /** At most what was authorised. The rest is released. */
  readonly amount: number;
  readonly currency: string;
}

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
  /** When we intended the charge. The provider has no older one under this key. */
  readonly intendedAt: Date;
}

/** A callback with a valid signature, in our terms. */
export interface CallbackEvent {
  readonly id: string;
  readonly type:
    | 'charge.captured'
    | 'charge.authorized'
    | 'charge.declined'
    /** An authorisation has ended without a capture: by us, by a person at the provider, or because its time was over. */
    | 'charge.voided'
    | 'refund.settled'
    | 'refund.failed'
    | 'dispute.opened'
    | 'dispute.updated'
    | 'dispute.closed'
    | 'ignored';
  readonly transactionId: string;
  readonly orderId?: string;
  readonly amount?: number;
  readonly declineCode?: string;
  readonly refundId?: string;
  readonly disputeId?: string;
  readonly occurredAt: Date;
}

/** A row of the provider's own ledger, for reconciliation. */
export interface LedgerCharge {
  readonly id: string;
  readonly orderId: string;
  /** What was charged, or authorised. */
  readonly amount: number;
  readonly capturedAmount: number;
  readonly refundedAmount: number;
  readonly currency: string;
  /** CANCELLED before anything was authorised; VOIDED and EXPIRED after that. */
  readonly state: 'PENDING' | 'AUTHORIZED' | 'CAPTURED' | 'DECLINED' | 'REFUNDED' | 'CANCELLED' | 'VOIDED' | 'EXPIRED';
  /** Our key, if the provider kept it: it finds the payment whose transaction id we never received. */
  readonly idempotencyKey?: string;
  readonly createdAt: Date;
}

/** A charge in its current state, with the result. */
export interface KnownCharge extends LedgerCharge {
  readonly result: ChargeResult;
}

/** A dispute in its current state. */
export interface KnownDispute extends Dispute {
  readonly transactionId: string;
}

/** A refund in its current state. It may fail days after it settled. */
export interface KnownRefund {
  readonly id: string;
  readonly transactionId: string;
  readonly orderId?: string;
  readonly amount: number;
  readonly idempotencyKey?: string;
  readonly result: RefundResult;
}

/**
 * The payment provider. No call runs inside a database transaction, and every call is bounded by `signal`. A call
 * without a definite answer (timeout, broken connection, 5xx) throws GatewayUnknownError; the caller then looks the
 * result up by its key.
 */
export interface PaymentGateway {
  readonly provider: string;
  /** The fingerprint of the card behind a method; undefined if the provider has none or does not know the method. */
  fingerprintOf?(method: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * The minimum time for which the provider remembers an idempotency key after its first use; undefined if it never
   * forgets. A charge that is sent again under a forgotten key is a second charge.
   */
  readonly keyMemoryMs: number | undefined;
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeResult>;
  /**
   * Takes what was authorised, or a part of it, once: the provider refuses a second capture, also under another key.
   * Returns the charge as it is then: captured now or before, or ended in another way.
   */
  captureCharge(request: CaptureRequest, signal: AbortSignal): Promise<KnownCharge>;
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundResult>;
  /** By the provider's own id, however old; undefined if there is no such charge, or it is not ours. */
  retrieveCharge(transactionId: string, signal: AbortSignal): Promise<KnownCharge | undefined>;
  retrieveRefund(refundId: string, signal: AbortSignal): Promise<KnownRefund | undefined>;
  /**
   * The charge under our key, however old; undefined if the provider has none. "None" does not make a new charge safe:
   * a request may still be on its way, and only a key that the provider remembers merges the two.
   */
  lookupCharge(request: ChargeLookup, signal: AbortSignal): Promise<ChargeResult | undefined>;
  /** Searches all refunds of the charge, so that "none" is certain except for a request that is on its way. */
  lookupRefund(
    request: LookupRequest & { transactionId: string },
    signal: AbortSignal,
  ): Promise<RefundResult | undefined>;
  /**
   * Cancels a charge that waits for the customer, or voids one that is authorised, so that it cannot be captured later.
   * Returns the charge as it is then: it may have been captured before, or be `processing` and not be cancellable.
   */
  cancelCharge(request: LookupRequest & { transactionId: string }, signal: AbortSignal): Promise<KnownCharge>;
  /** Verifies the signature on the raw body; throws InvalidSignatureError. */
  parseWebhook(rawBody: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): CallbackEvent;
  /**
   * The provider's ledger in pages: charges that were made or changed from `since` on, each once, in their current
   * state.
   */
  listCharges(since: Date, signal: AbortSignal): AsyncIterable<readonly LedgerCharge[]>;
  /** Refunds that have failed from `since` on, however long ago they were made. */
  listFailedRefunds(since: Date, signal: AbortSignal): AsyncIterable<readonly KnownRefund[]>;
  /** Undefined if there is no such dispute. Providers without disputes have neither method. */
  retrieveDispute?(disputeId: string, signal: AbortSignal): Promise<KnownDispute | undefined>;
  /** Disputes that were opened or have changed from `since` on. */
  listDisputes?(since: Date, signal: AbortSignal): AsyncIterable<readonly KnownDispute[]>;
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
 * no money and cannot succeed if repeated. It is not a decline either, because an earlier call under the key may have
 * charged.
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
