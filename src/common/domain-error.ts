/** Every code that a client may see. The table of their HTTP statuses is in platform/http. */
export type ErrorCode =
  | 'VALIDATION_FAILED'
  | 'IDEMPOTENCY_KEY_MISSING'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'ADMISSION_REQUIRED'
  | 'PAYMENT_DECLINED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'SKU_NOT_FOUND'
  | 'ORDER_NOT_FOUND'
  | 'RESERVATION_NOT_FOUND'
  | 'SAGA_NOT_FOUND'
  | 'SALE_NOT_FOUND'
  | 'COUPON_NOT_FOUND'
  | 'ACCOUNT_NOT_FOUND'
  | 'DEAD_LETTER_NOT_FOUND'
  | 'BULK_RUN_NOT_FOUND'
  | 'WEBHOOK_ENDPOINT_NOT_FOUND'
  | 'WEBHOOK_EVENT_NOT_FOUND'
  | 'WEBHOOK_DELIVERY_NOT_FOUND'
  | 'OUT_OF_STOCK'
  | 'PRICE_CHANGED'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'STOCK_BELOW_RESERVED'
  | 'EXTENSION_LIMIT'
  | 'INVALID_STATE'
  | 'LIMIT_EXCEEDED'
  | 'COUPON_EXHAUSTED'
  | 'COUPON_NOT_APPLICABLE'
  | 'INSUFFICIENT_CREDIT'
  | 'CANCELLED'
  | 'REFUND_EXCEEDS_CAPTURED'
  | 'CAPTURE_EXCEEDS_AUTHORIZED'
  | 'RESERVATION_EXPIRED'
  | 'PRECONDITION_FAILED'
  | 'PAYLOAD_TOO_LARGE'
  | 'HEADERS_TOO_LARGE'
  | 'REQUEST_TIMEOUT'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INVALID_SIGNATURE'
  | 'LOCK_TIMEOUT'
  | 'DEPENDENCY_UNAVAILABLE'
  | 'INTERNAL_ERROR';

/** What went wrong, in the language of the domain. Extra members of `details` become members of the problem. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'DomainError';
  }
}
