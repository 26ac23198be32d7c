import { z } from 'zod';
import { pricedLineSchema } from '../inventory/line.dto.js';
import { amountSchema, currencySchema, pageSchema, timeSchema, totalsSchema } from '../platform/http/fields.js';
import { RESERVATION_STATES } from '../inventory/reservation/reservation.js';
import { DISPUTE_STATES } from '../payment/dispute.js';
import { PAYMENT_STATES, REFUND_STATES } from '../payment/payment-state.js';
import { ORDER_STATES } from './order-state.js';

export const disputeSchema = z
  .object({
    id: z.string().meta({ description: 'The provider’s', examples: ['du_1Pgc6t'] }),
    state: z
      .enum(DISPUTE_STATES)
      .meta({ description: 'CLOSED is an inquiry that came to nothing', examples: ['OPEN'] }),
    amount: amountSchema,
    currency: currencySchema,
    reason: z.string().meta({ description: 'The bank’s', examples: ['product_not_received'] }),
    respondBy: timeSchema.optional().meta({ description: 'Until when the shop may answer, at the provider' }),
    openedAt: timeSchema,
  })
  .meta({ id: 'Dispute', description: 'The customer’s bank wants the money back' });

const paymentSchema = z
  .object({
    id: z.uuid(),
    state: z.enum(PAYMENT_STATES).meta({ examples: ['CAPTURED'] }),
    amount: amountSchema.meta({ description: 'What the card pays: charged at once, or authorised first' }),
    capturedAmount: amountSchema.meta({
      description: 'What was taken: less than the amount where an authorisation was captured in part, 0 before that',
    }),
    refundedAmount: amountSchema.meta({ examples: [0] }),
    authorizedUntil: timeSchema
      .optional()
      .meta({ description: 'Of an AUTHORIZED payment: it has to be captured before then' }),
    creditedAmount: amountSchema.optional().meta({ description: 'Paid back as store credit instead of to the card' }),
    method: z
      .string()
      .nullable()
      .meta({ description: 'None where nothing was left for a card to pay', examples: ['pm_card_visa'] }),
    dispute: disputeSchema.optional(),
  })
  .meta({ id: 'Payment' });

const nextActionSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('redirect_to_url'), url: z.string() }),
    z.object({ type: z.literal('use_stripe_sdk'), clientSecret: z.string() }),
  ])
  .meta({ id: 'NextAction', description: 'What the customer has to do before the payment can go on (3-D Secure)' });

const keptReservationSchema = z
  .object({
    id: z.uuid(),
    state: z.enum(RESERVATION_STATES),
    expiresAt: timeSchema,
    accessToken: z.string().meta({ description: 'Of a hold that the checkout made (`holdOnDecline`)' }).optional(),
  })
  .meta({
    id: 'KeptReservation',
    description: 'The hold that is left to the customer, as it stood then: a new checkout with its id buys it',
  });

/** What the problem of the refused checkout carried, for whoever reads the order later. */
const rejectionSchema = z
  .looseObject({
    code: z.string(),
    detail: z.string(),
    declineCode: z.string().meta({ description: 'With PAYMENT_DECLINED: the provider’s reason' }).optional(),
    shortages: z
      .array(z.object({ sku: z.string(), requested: z.int(), available: z.int() }))
      .meta({ description: 'With OUT_OF_STOCK: what was missing' })
      .optional(),
    reservation: keptReservationSchema.optional(),
  })
  .meta({
    id: 'Rejection',
    description: 'Why a REJECTED order was rejected: code and members of the problem that refused the checkout',
    examples: [{ code: 'PAYMENT_DECLINED', detail: 'The payment was declined', declineCode: 'insufficient_funds' }],
  });

export const orderSchema = z
  .object({
    id: z.uuid(),
    state: z.enum(ORDER_STATES).meta({ examples: ['CONFIRMED'] }),
    currency: currencySchema,
    total: amountSchema.meta({ description: 'What is owed for the goods, after discounts' }),
    totals: totalsSchema,
    amountDue: amountSchema.meta({ description: 'What the card pays: the total without what credit pays' }),
    lines: z.array(pricedLineSchema),
    credit: z
      .object({ amount: amountSchema, refundedAmount: amountSchema.meta({ examples: [0] }) })
      .optional()
      .meta({ description: 'What store credit and gift cards pay, and what of it was given back to them' }),
    customer: z.object({ id: z.string().optional(), email: z.string().optional() }),
    payment: paymentSchema.nullable().meta({ description: 'None before the payment was begun' }),
    reservation: z
      .object({ id: z.uuid(), state: z.enum(RESERVATION_STATES), expiresAt: timeSchema })
      .nullable()
      .meta({ description: 'None where nothing could be reserved' }),
    sagaId: z.uuid(),
    rejection: rejectionSchema.optional(),
    nextAction: nextActionSchema.optional(),
    eventsUrl: z.string().meta({
      description:
        'Opened by a browser’s EventSource without any header: holds a token for this order’s events, valid for an hour',
      examples: ['https://checkout.example/v1/orders/0199c8f0-5a1e-7c3b-9d2e-4f6a8b0c1d2e/events?token=1763380800.x'],
    }),
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).meta({ examples: [{}] }),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'Order' });

export const createdOrderSchema = orderSchema
  .extend({ accessToken: z.string().meta({ description: 'Send it in X-Access-Token to read the order' }) })
  .meta({ id: 'CreatedOrder' });

export const orderPageSchema = pageSchema(orderSchema, 'OrderPage');

export const timelineSchema = z
  .object({
    items: z.array(
      z
        .object({
          at: timeSchema,
          kind: z.string().meta({ examples: ['payment.captured'] }),
          detail: z.record(z.string(), z.unknown()),
          traceId: z.string().optional().meta({ description: 'Of the trace that it is part of, where tracing was on' }),
        })
        .meta({ id: 'TimelineEntry' }),
    ),
  })
  .meta({ id: 'Timeline', description: 'Steps, holds, gateway calls and callbacks in the order they happened' });

export const refundResponseSchema = z
  .object({
    id: z.uuid(),
    orderId: z.uuid(),
    state: z.enum(REFUND_STATES).meta({ examples: ['SETTLED'] }),
    amount: amountSchema
      .nullable()
      .meta({ description: 'Not known yet where all of it was asked for and is under way' }),
    credited: amountSchema.optional().meta({ description: 'Of the amount: what has gone to accounts, at once' }),
    currency: currencySchema.optional(),
    reason: z.string(),
    createdAt: timeSchema,
  })
  .meta({ id: 'Refund' });
