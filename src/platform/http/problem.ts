import type { ErrorCode } from '../../common/domain-error.js';

/** The only table from error codes to HTTP. `retryAfter` is in seconds. */
export const PROBLEMS: Readonly<Record<ErrorCode, { status: number; title: string; retryAfter?: number }>> = {
  VALIDATION_FAILED: { status: 400, title: 'The request is not valid' },
  IDEMPOTENCY_KEY_MISSING: { status: 400, title: 'An Idempotency-Key header is required' },
  INVALID_SIGNATURE: { status: 400, title: 'The signature is not valid' },
  UNAUTHENTICATED: { status: 401, title: 'A valid key is required' },
  FORBIDDEN: { status: 403, title: 'The key does not allow this' },
  ADMISSION_REQUIRED: { status: 403, title: 'A ticket that was called is required' },
  PAYMENT_DECLINED: { status: 402, title: 'The payment was declined' },
  NOT_FOUND: { status: 404, title: 'There is nothing here' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The method is not allowed here' },
  SKU_NOT_FOUND: { status: 404, title: 'The SKU does not exist' },
  ORDER_NOT_FOUND: { status: 404, title: 'The order does not exist' },
  RESERVATION_NOT_FOUND: { status: 404, title: 'The reservation does not exist' },
  SAGA_NOT_FOUND: { status: 404, title: 'The saga does not exist' },
  SALE_NOT_FOUND: { status: 404, title: 'The sale does not exist' },
  COUPON_NOT_FOUND: { status: 404, title: 'The coupon does not exist' },
  ACCOUNT_NOT_FOUND: { status: 404, title: 'The account does not exist' },
  DEAD_LETTER_NOT_FOUND: { status: 404, title: 'The dead letter does not exist' },
  BULK_RUN_NOT_FOUND: { status: 404, title: 'The bulk run does not exist' },
  WEBHOOK_ENDPOINT_NOT_FOUND: { status: 404, title: 'The webhook endpoint does not exist' },
  WEBHOOK_EVENT_NOT_FOUND: { status: 404, title: 'The webhook event does not exist' },
  WEBHOOK_DELIVERY_NOT_FOUND: { status: 404, title: 'The webhook delivery does not exist' },
  OUT_OF_STOCK: { status: 409, title: 'Not enough stock' },
  PRICE_CHANGED: { status: 409, title: 'The price has changed' },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, title: 'A request with this key is in progress', retryAfter: 1 },
  STOCK_BELOW_RESERVED: { status: 409, title: 'The stock cannot fall below what is reserved' },
  EXTENSION_LIMIT: { status: 409, title: 'The reservation cannot be extended further' },
  INVALID_STATE: { status: 409, title: 'The state does not allow this' },
  LIMIT_EXCEEDED: { status: 409, title: 'No more of it for this customer' },
  COUPON_EXHAUSTED: { status: 409, title: 'The coupon has been used as often as it may be' },
  COUPON_NOT_APPLICABLE: { status: 409, title: 'The coupon does not apply to this' },
  INSUFFICIENT_CREDIT: { status: 409, title: 'Not enough credit' },
  CANCELLED: { status: 409, title: 'The order was cancelled' },
  CAPTURE_EXCEEDS_AUTHORIZED: { status: 409, title: 'The capture exceeds what was authorised' },
  REFUND_EXCEEDS_CAPTURED: { status: 409, title: 'The refund exceeds what was captured' },
  RESERVATION_EXPIRED: { status: 410, title: 'The reservation has ended' },
  PRECONDITION_FAILED: { status: 412, title: 'The resource has changed' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The request is too large' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers are too large' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long to arrive' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The content type is not supported' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, title: 'The key was used for another request' },
  RATE_LIMITED: { status: 429, title: 'Too many requests', retryAfter: 1 },
  INTERNAL_ERROR: { status: 500, title: 'Something went wrong on our side' },
  LOCK_TIMEOUT: { status: 503, title: 'The resource is busy', retryAfter: 1 },
  DEPENDENCY_UNAVAILABLE: { status: 503, title: 'A dependency is not available', retryAfter: 2 },
};

/** RFC 9457. `code` is stable, `detail` is for people. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly requestId?: string;
  readonly traceId?: string;
  readonly [member: string]: unknown;
}

export function toProblem(code: ErrorCode, detail: string, members: Readonly<Record<string, unknown>> = {}): Problem {
  const { status, title } = PROBLEMS[code];
  return { type: 'about:blank', title, status, code, detail, ...members };
}
