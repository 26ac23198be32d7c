import { z } from 'zod';
import type { ErrorCode } from '../../../common/domain-error.js';
import { PROBLEMS } from '../problem.js';
import { convertSchema } from './schema-converter.js';

const id = z.uuid();
const count = z.int().min(0);

/** The order that a refused checkout left behind, REJECTED. Absent where no order was begun. */
const order = {
  orderId: id.meta({ description: 'The order that was left behind' }).optional(),
  accessToken: z.string().meta({ description: 'Opens that order: send it in X-Access-Token' }).optional(),
  reservation: z
    .object({
      id,
      state: z.enum(['HELD', 'COMMITTED', 'RELEASED', 'EXPIRED']),
      expiresAt: z.iso.datetime(),
      accessToken: z.string().meta({ description: 'Of a hold that the checkout made (`holdOnDecline`)' }).optional(),
    })
    .meta({ description: 'The hold that is left to the customer, to be bought with another card' })
    .optional(),
};
const errors = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .meta({ description: 'Every field that is wrong, up to 20' });
const shortages = z
  .array(z.object({ sku: z.string(), requested: count, available: count }))
  .meta({ description: 'What is missing' });
const quote = z
  .object({
    lines: z.array(z.object({ sku: z.string(), name: z.string(), quantity: count, unitAmount: count, amount: count })),
    total: count,
    currency: z.string(),
  })
  .meta({ description: 'What it costs now' });
const retryAfter = z.number().meta({ description: 'Seconds, as in Retry-After' }).optional();
const state = z.string().meta({ description: 'The state that does not allow it' }).optional();

/** The members that a code has beside those of RFC 9457. A test compares them with the examples and with real answers. */
const MEMBERS: Readonly<Partial<Record<ErrorCode, z.ZodRawShape>>> = {
  VALIDATION_FAILED: { errors },
  PAYMENT_DECLINED: { ...order, declineCode: z.string().meta({ description: 'The provider’s reason' }) },
  ADMISSION_REQUIRED: {
    ...order,
    saleId: z.string().meta({ description: 'The sale that is on' }),
    reason: z
      .string()
      .meta({ description: 'What is wrong with the ticket', examples: ['MISSING', 'WAITING', 'USED'] })
      .optional(),
  },
  SALE_NOT_FOUND: { saleId: z.string().optional() },
  LIMIT_EXCEEDED: {
    ...order,
    saleId: z.string().optional(),
    sku: z.string().meta({ description: 'Which customers may have only so many of' }).optional(),
    requested: count.optional(),
    available: count.meta({ description: 'How many more the customer may have' }).optional(),
  },
  SKU_NOT_FOUND: { skus: z.array(z.string()).meta({ description: 'The unknown ones' }) },
  RESERVATION_NOT_FOUND: { ...order, reservationId: z.string().optional() },
  OUT_OF_STOCK: { ...order, shortages },
  PRICE_CHANGED: { quote },
  IDEMPOTENCY_IN_PROGRESS: { orderId: order.orderId, accessToken: order.accessToken, retryAfter },
  STOCK_BELOW_RESERVED: { sku: z.string(), onHand: count, reserved: count, delta: z.int() },
  EXTENSION_LIMIT: {
    reservationId: id,
    maxExtensionSeconds: count,
    remainingSeconds: count.meta({ description: 'How much further it can be extended' }),
  },
  INVALID_STATE: {
    ...order,
    state,
    reservationId: id.optional(),
    saleId: z.string().optional(),
    sku: z.string().meta({ description: 'Of a SKU: whose currency cannot change' }).optional(),
    reserved: count.meta({ description: 'Of a SKU: how many units are reserved' }).optional(),
    coupon: z.string().meta({ description: 'Of a coupon: which cannot be limited to less than it has' }).optional(),
    redeemed: count.optional(),
    held: count.optional(),
    accountId: z.string().meta({ description: 'Of an account: whose currency cannot change' }).optional(),
  },
  COUPON_NOT_FOUND: { coupon: z.string().optional() },
  COUPON_EXHAUSTED: { ...order, coupon: z.string() },
  COUPON_NOT_APPLICABLE: {
    ...order,
    coupon: z.string(),
    reason: z.string().meta({
      description: 'Which of its conditions is not met',
      examples: ['NOT_STARTED', 'ENDED', 'CURRENCY', 'MINIMUM_AMOUNT', 'OTHER_GOODS', 'CUSTOMER_UNKNOWN'],
    }),
  },
  INSUFFICIENT_CREDIT: {
    ...order,
    required: count.meta({ description: 'What would have been needed' }),
    available: count.meta({ description: 'What is there and not held' }),
  },
  CANCELLED: order,
  CAPTURE_EXCEEDS_AUTHORIZED: {
    orderId: id.optional(),
    authorized: count.meta({ description: 'What can be captured' }).optional(),
  },
  REFUND_EXCEEDS_CAPTURED: {
    orderId: id.optional(),
    captured: count.optional(),
    refundable: count.meta({ description: 'What can still be refunded' }).optional(),
  },
  RESERVATION_EXPIRED: {
    ...order,
    reservationId: id,
    expiredAt: z.iso.datetime().meta({ description: 'When it ended' }),
  },
  PRECONDITION_FAILED: { version: z.int().meta({ description: 'The version that it is at now' }).optional() },
  RATE_LIMITED: { retryAfter },
  LOCK_TIMEOUT: { ...order, retryAfter },
  DEPENDENCY_UNAVAILABLE: { ...order, retryAfter },
  INTERNAL_ERROR: order,
};

/** `OUT_OF_STOCK` is described by `OutOfStockProblem`. */
export function problemName(code: ErrorCode): string {
  const words = code.toLowerCase().split('_');
  return `${words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')}Problem`;
}

/** RFC 9457, one schema per code, so that a client that branches on `code` knows which members there are. */
export function problemSchemas(codes: Iterable<ErrorCode>): Record<string, unknown> {
  return Object.fromEntries(
    [...codes].map((code) => {
      const { status, title } = PROBLEMS[code];
      const schema = z.object({
        type: z.literal('about:blank'),
        title: z.string(),
        status: z.literal(status),
        code: z.literal(code).meta({ description: 'Stable: branch on this' }),
        detail: z.string().meta({ description: 'For people; may change' }),
        requestId: z.string().meta({ description: 'Names the request in the logs' }).optional(),
        traceId: z.string().meta({ description: 'Names its trace, where tracing is on' }).optional(),
        ...MEMBERS[code],
      });
      const converted = convertSchema(schema.meta({ description: title }), { schemaType: 'output' });
      return [problemName(code), converted?.schema];
    }),
  );
}
