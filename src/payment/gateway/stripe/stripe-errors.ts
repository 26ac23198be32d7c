import { Stripe } from 'stripe';
import { ChargeResult, GatewayRequestError, GatewayUnknownError, RefundResult } from '../payment-gateway.js';

const { StripeCardError, StripeInvalidRequestError, StripeIdempotencyError, StripeError } = Stripe.errors;
const { StripeAuthenticationError, StripePermissionError } = Stripe.errors;

/** A definite refusal of this charge, by the card or of the request; undefined for anything less definite. */
export function declineOf(error: unknown): ChargeResult | undefined {
  if (error instanceof StripeCardError) {
    const transactionId = error.payment_intent?.id;
    const fingerprint = fingerprintOf(error.payment_method);
    return {
      kind: 'declined',
      declineCode: declineCodeOf(error),
      ...(transactionId !== undefined && { transactionId }),
      ...(fingerprint !== undefined && { fingerprint }),
    };
  }
  if (error instanceof StripeInvalidRequestError) {
    return { kind: 'declined', declineCode: error.code ?? 'invalid_request' };
  }
  return undefined;
}

/** The same for every payment method of one card. */
export function fingerprintOf(method: Stripe.PaymentMethod | null | undefined): string | undefined {
  return method?.card?.fingerprint ?? undefined;
}

export function refundRefusalOf(error: unknown): RefundResult | undefined {
  if (!(error instanceof StripeInvalidRequestError || error instanceof StripeCardError)) return undefined;
  return { kind: 'failed', reason: error.code ?? 'invalid_request' };
}

/** The intent cannot be captured or cancelled in its state: it has already ended. */
export function isUnexpectedState(error: unknown): boolean {
  return error instanceof StripeInvalidRequestError && error.code === 'payment_intent_unexpected_state';
}

/** The card's network has given the amount back, and Stripe has not cancelled the intent yet. */
export function isExpiredForCapture(error: unknown): boolean {
  return error instanceof StripeInvalidRequestError && error.code === 'charge_expired_for_capture';
}

/** Stripe has no object with this id. */
export function isMissing(error: unknown): boolean {
  return error instanceof StripeInvalidRequestError && error.code === 'resource_missing';
}

/** The issuer's reason, if it gave a specific one. */
export function declineCodeOf(error: { code?: string | undefined; decline_code?: string | undefined }): string {
  const isTelling = error.decline_code && error.decline_code !== 'generic_decline';
  return (isTelling ? error.decline_code : error.code) ?? 'card_declined';
}

/**
 * Connection errors, timeouts, 5xx, 429 and "the same key is in progress" (409) leave the outcome open. Stripe's error
 * is named but not attached as the cause: it contains the payment method and the client secret, which must not reach a
 * log.
 */
export function asGatewayError(error: unknown): Error {
  if (error instanceof GatewayUnknownError || error instanceof GatewayRequestError) return error;
  if (!(error instanceof StripeError)) return new GatewayUnknownError('the call to Stripe failed', { cause: error });
  const name = [error.type, error.statusCode, error.code, error.requestId].filter(Boolean).join(' ');
  const isRefused =
    error instanceof StripeAuthenticationError ||
    error instanceof StripePermissionError ||
    error instanceof StripeIdempotencyError ||
    error instanceof StripeInvalidRequestError;
  if (isRefused) return new GatewayRequestError(`Stripe refused the request: ${name}`);
  return new GatewayUnknownError(`Stripe gave no definite answer: ${name}`);
}
