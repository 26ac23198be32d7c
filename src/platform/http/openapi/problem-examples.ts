import type { ErrorCode } from '../../../common/domain-error.js';

interface ProblemExample {
  readonly detail: string;
  readonly members?: Readonly<Record<string, unknown>>;
}

const ORDER = '0199c8f0-5a1e-7c3b-9d2e-4f6a8b0c1d2e';
const RESERVATION = '0199c8f0-6b2f-7d4c-8e3f-5a7b9c1d2e3f';
const TOKEN = 'Zk3v0mQyqg1h7lRr2Wn8Jp5sT4uXeYbCdAfGhIjKlMo';
const lines = [{ sku: 'demo-mug', name: 'Mug', quantity: 1, unitAmount: 1250, amount: 1250 }];

/** An example of every refusal. A record, so that a code without an example does not compile. */
export const PROBLEM_EXAMPLES: Readonly<Record<ErrorCode, ProblemExample>> = {
  VALIDATION_FAILED: {
    detail: 'lines.0.quantity: Too small: expected number to be >=1',
    members: { errors: [{ path: 'lines.0.quantity', message: 'Too small: expected number to be >=1' }] },
  },
  IDEMPOTENCY_KEY_MISSING: { detail: 'Send an Idempotency-Key header, so that a retry cannot act twice' },
  INVALID_SIGNATURE: { detail: 'The signature does not match the body' },
  UNAUTHENTICATED: { detail: 'Send a valid key in the X-Api-Key header' },
  FORBIDDEN: { detail: 'This call needs an admin key' },
  ADMISSION_REQUIRED: {
    detail: 'A sale of this is on: it needs a ticket that was called, in X-Sale-Ticket',
    members: { saleId: 'noon', reason: 'MISSING' },
  },
  PAYMENT_DECLINED: {
    detail: 'The payment was declined',
    members: {
      ...{ orderId: ORDER, accessToken: TOKEN, declineCode: 'insufficient_funds' },
      reservation: { id: RESERVATION, state: 'HELD', expiresAt: '2026-11-15T10:15:00.000Z' },
    },
  },
  NOT_FOUND: { detail: 'There is nothing here' },
  METHOD_NOT_ALLOWED: { detail: 'The method is not allowed here' },
  SKU_NOT_FOUND: { detail: 'There is no demo-unicorn', members: { skus: ['demo-unicorn'] } },
  ORDER_NOT_FOUND: { detail: 'The order does not exist' },
  RESERVATION_NOT_FOUND: {
    detail: 'There is no such reservation, or the access token is not for it',
    members: { reservationId: RESERVATION },
  },
  SAGA_NOT_FOUND: { detail: 'The saga does not exist' },
  SALE_NOT_FOUND: { detail: 'There is no such sale, or the ticket is not of it', members: { saleId: 'noon' } },
  COUPON_NOT_FOUND: { detail: 'There is no coupon SAVE10', members: { coupon: 'SAVE10' } },
  ACCOUNT_NOT_FOUND: { detail: 'There is no such account, or it is not yours to spend' },
  DEAD_LETTER_NOT_FOUND: { detail: 'The dead letter does not exist' },
  BULK_RUN_NOT_FOUND: { detail: 'The bulk run does not exist' },
  WEBHOOK_ENDPOINT_NOT_FOUND: { detail: 'The webhook endpoint does not exist' },
  WEBHOOK_EVENT_NOT_FOUND: { detail: 'The webhook event does not exist' },
  WEBHOOK_DELIVERY_NOT_FOUND: { detail: 'The webhook delivery does not exist' },
  OUT_OF_STOCK: {
    detail: 'Not enough stock',
    members: {
      orderId: ORDER,
      accessToken: TOKEN,
      shortages: [{ sku: 'demo-last-one', requested: 2, available: 1 }],
    },
  },
  PRICE_CHANGED: {
    detail: 'The total is 1250, not 1200',
    members: { quote: { lines, total: 1250, currency: 'EUR' } },
  },
  IDEMPOTENCY_IN_PROGRESS: {
    detail: 'A request with this key is in progress',
    members: { orderId: ORDER, accessToken: TOKEN },
  },
  STOCK_BELOW_RESERVED: {
    detail: 'demo-mug has 10 units, of which 4 are reserved: it cannot change by -7',
    members: { sku: 'demo-mug', onHand: 10, reserved: 4, delta: -7 },
  },
  EXTENSION_LIMIT: {
    detail: 'The reservation can be extended by 300 more seconds',
    members: { reservationId: RESERVATION, maxExtensionSeconds: 900, remainingSeconds: 300 },
  },
  INVALID_STATE: { detail: 'The state does not allow this', members: { state: 'COMPLETED' } },
  LIMIT_EXCEEDED: { detail: 'There is a ticket for this customer or e-mail already', members: { saleId: 'noon' } },
  COUPON_EXHAUSTED: {
    detail: 'SAVE10 has been used as often as it may be',
    members: { orderId: ORDER, accessToken: TOKEN, coupon: 'SAVE10' },
  },
  COUPON_NOT_APPLICABLE: {
    detail: 'SAVE10 needs goods for at least 5000',
    members: { coupon: 'SAVE10', reason: 'MINIMUM_AMOUNT' },
  },
  INSUFFICIENT_CREDIT: {
    detail: '1250 is due, 1000 is there, and no card was named for the rest',
    members: { orderId: ORDER, accessToken: TOKEN, required: 1250, available: 1000 },
  },
  CANCELLED: {
    detail: 'The customer cancelled the order',
    members: { orderId: ORDER, accessToken: TOKEN },
  },
  CAPTURE_EXCEEDS_AUTHORIZED: {
    detail: 'At most 1250 can be captured',
    members: { orderId: ORDER, authorized: 1250 },
  },
  REFUND_EXCEEDS_CAPTURED: {
    detail: 'At most 250 can be refunded',
    members: { orderId: ORDER, captured: 1250, refundable: 250 },
  },
  RESERVATION_EXPIRED: {
    detail: 'The reservation ended at 2026-11-15T10:15:00.000Z',
    members: { reservationId: RESERVATION, expiredAt: '2026-11-15T10:15:00.000Z' },
  },
  PRECONDITION_FAILED: { detail: 'The SKU is at version "4", read it again', members: { version: 4 } },
  HEADERS_TOO_LARGE: { detail: 'The headers are too large' },
  REQUEST_TIMEOUT: { detail: 'The request took too long to arrive' },
  PAYLOAD_TOO_LARGE: { detail: 'Request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { detail: 'Send application/json' },
  RATE_LIMITED: { detail: 'Too many requests, try again in a moment' },
  IDEMPOTENCY_KEY_REUSED: { detail: 'This Idempotency-Key was used for another request: use a new key' },
  INTERNAL_ERROR: { detail: 'An unexpected error occurred' },
  LOCK_TIMEOUT: { detail: 'lock inventory:reserve:demo-mug not free within 5000 ms' },
  DEPENDENCY_UNAVAILABLE: { detail: 'The database is not available, try again shortly' },
};
