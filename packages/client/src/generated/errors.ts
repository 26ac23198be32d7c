// Generated from openapi.json by `npm run openapi`. Do not edit.
import type { Schemas } from '../operation.js';
import { ProblemError } from '../problem-error.js';

export class AccountNotFoundError extends ProblemError<Schemas['AccountNotFoundProblem']> {}
export class AdmissionRequiredError extends ProblemError<Schemas['AdmissionRequiredProblem']> {}
export class BulkRunNotFoundError extends ProblemError<Schemas['BulkRunNotFoundProblem']> {}
export class CancelledError extends ProblemError<Schemas['CancelledProblem']> {}
export class CaptureExceedsAuthorizedError extends ProblemError<Schemas['CaptureExceedsAuthorizedProblem']> {}
export class CouponExhaustedError extends ProblemError<Schemas['CouponExhaustedProblem']> {}
export class CouponNotApplicableError extends ProblemError<Schemas['CouponNotApplicableProblem']> {}
export class CouponNotFoundError extends ProblemError<Schemas['CouponNotFoundProblem']> {}
export class DeadLetterNotFoundError extends ProblemError<Schemas['DeadLetterNotFoundProblem']> {}
export class DependencyUnavailableError extends ProblemError<Schemas['DependencyUnavailableProblem']> {}
export class ExtensionLimitError extends ProblemError<Schemas['ExtensionLimitProblem']> {}
export class ForbiddenError extends ProblemError<Schemas['ForbiddenProblem']> {}
export class IdempotencyInProgressError extends ProblemError<Schemas['IdempotencyInProgressProblem']> {}
export class IdempotencyKeyMissingError extends ProblemError<Schemas['IdempotencyKeyMissingProblem']> {}
export class IdempotencyKeyReusedError extends ProblemError<Schemas['IdempotencyKeyReusedProblem']> {}
export class InsufficientCreditError extends ProblemError<Schemas['InsufficientCreditProblem']> {}
export class InternalError extends ProblemError<Schemas['InternalErrorProblem']> {}
export class InvalidSignatureError extends ProblemError<Schemas['InvalidSignatureProblem']> {}
export class InvalidStateError extends ProblemError<Schemas['InvalidStateProblem']> {}
export class LimitExceededError extends ProblemError<Schemas['LimitExceededProblem']> {}
export class LockTimeoutError extends ProblemError<Schemas['LockTimeoutProblem']> {}
export class NotFoundError extends ProblemError<Schemas['NotFoundProblem']> {}
export class OrderNotFoundError extends ProblemError<Schemas['OrderNotFoundProblem']> {}
export class OutOfStockError extends ProblemError<Schemas['OutOfStockProblem']> {}
export class PayloadTooLargeError extends ProblemError<Schemas['PayloadTooLargeProblem']> {}
export class PaymentDeclinedError extends ProblemError<Schemas['PaymentDeclinedProblem']> {}
export class PreconditionFailedError extends ProblemError<Schemas['PreconditionFailedProblem']> {}
export class PriceChangedError extends ProblemError<Schemas['PriceChangedProblem']> {}
export class RateLimitedError extends ProblemError<Schemas['RateLimitedProblem']> {}
export class RefundExceedsCapturedError extends ProblemError<Schemas['RefundExceedsCapturedProblem']> {}
export class ReservationExpiredError extends ProblemError<Schemas['ReservationExpiredProblem']> {}
export class ReservationNotFoundError extends ProblemError<Schemas['ReservationNotFoundProblem']> {}
export class SagaNotFoundError extends ProblemError<Schemas['SagaNotFoundProblem']> {}
export class SaleNotFoundError extends ProblemError<Schemas['SaleNotFoundProblem']> {}
export class SkuNotFoundError extends ProblemError<Schemas['SkuNotFoundProblem']> {}
export class StockBelowReservedError extends ProblemError<Schemas['StockBelowReservedProblem']> {}
export class UnauthenticatedError extends ProblemError<Schemas['UnauthenticatedProblem']> {}
export class UnsupportedMediaTypeError extends ProblemError<Schemas['UnsupportedMediaTypeProblem']> {}
export class ValidationFailedError extends ProblemError<Schemas['ValidationFailedProblem']> {}
export class WebhookDeliveryNotFoundError extends ProblemError<Schemas['WebhookDeliveryNotFoundProblem']> {}
export class WebhookEndpointNotFoundError extends ProblemError<Schemas['WebhookEndpointNotFoundProblem']> {}
export class WebhookEventNotFoundError extends ProblemError<Schemas['WebhookEventNotFoundProblem']> {}

/** The class of every code. */
export const ERRORS = {
  ACCOUNT_NOT_FOUND: AccountNotFoundError,
  ADMISSION_REQUIRED: AdmissionRequiredError,
  BULK_RUN_NOT_FOUND: BulkRunNotFoundError,
  CANCELLED: CancelledError,
  CAPTURE_EXCEEDS_AUTHORIZED: CaptureExceedsAuthorizedError,
  COUPON_EXHAUSTED: CouponExhaustedError,
  COUPON_NOT_APPLICABLE: CouponNotApplicableError,
  COUPON_NOT_FOUND: CouponNotFoundError,
  DEAD_LETTER_NOT_FOUND: DeadLetterNotFoundError,
  DEPENDENCY_UNAVAILABLE: DependencyUnavailableError,
  EXTENSION_LIMIT: ExtensionLimitError,
  FORBIDDEN: ForbiddenError,
  IDEMPOTENCY_IN_PROGRESS: IdempotencyInProgressError,
  IDEMPOTENCY_KEY_MISSING: IdempotencyKeyMissingError,
  IDEMPOTENCY_KEY_REUSED: IdempotencyKeyReusedError,
  INSUFFICIENT_CREDIT: InsufficientCreditError,
  INTERNAL_ERROR: InternalError,
  INVALID_SIGNATURE: InvalidSignatureError,
  INVALID_STATE: InvalidStateError,
  LIMIT_EXCEEDED: LimitExceededError,
  LOCK_TIMEOUT: LockTimeoutError,
  NOT_FOUND: NotFoundError,
  ORDER_NOT_FOUND: OrderNotFoundError,
  OUT_OF_STOCK: OutOfStockError,
  PAYLOAD_TOO_LARGE: PayloadTooLargeError,
  PAYMENT_DECLINED: PaymentDeclinedError,
  PRECONDITION_FAILED: PreconditionFailedError,
  PRICE_CHANGED: PriceChangedError,
  RATE_LIMITED: RateLimitedError,
  REFUND_EXCEEDS_CAPTURED: RefundExceedsCapturedError,
  RESERVATION_EXPIRED: ReservationExpiredError,
  RESERVATION_NOT_FOUND: ReservationNotFoundError,
  SAGA_NOT_FOUND: SagaNotFoundError,
  SALE_NOT_FOUND: SaleNotFoundError,
  SKU_NOT_FOUND: SkuNotFoundError,
  STOCK_BELOW_RESERVED: StockBelowReservedError,
  UNAUTHENTICATED: UnauthenticatedError,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
  VALIDATION_FAILED: ValidationFailedError,
  WEBHOOK_DELIVERY_NOT_FOUND: WebhookDeliveryNotFoundError,
  WEBHOOK_ENDPOINT_NOT_FOUND: WebhookEndpointNotFoundError,
  WEBHOOK_EVENT_NOT_FOUND: WebhookEventNotFoundError,
} as const;
