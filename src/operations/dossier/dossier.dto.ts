import { z } from 'zod';
import { amountSchema, currencySchema, timeSchema } from '../../platform/http/fields.js';
import type { OrderView } from '../../orders/order.dto.js';
import { disputeSchema, orderSchema } from '../../orders/order-response.dto.js';
import { PAYMENT_STATES, REFUND_STATES } from '../../payment/payment-state.js';
import { INBOX_STATES } from '../../payment/callbacks/callback-inbox.entity.js';
import { DELIVERY_STATES } from '../../event-delivery/delivery-state.js';
import { type SagaView, sagaViewSchema } from '../../saga/operator/saga.dto.js';
import { actionSchema, type ActionView } from '../audit-trail/operator-action.dto.js';
import { previewSchema } from '../preview/preview.dto.js';
import type { Preview } from '../preview/preview.js';
import { type Span, SPAN_KINDS } from './axis.js';
import type { CallbackOfOrder, DeliveryOfOrder, PaymentOfOrder, RefundOfOrder } from './dossier.repository.js';

const spanSchema = z
  .object({
    lane: z.string().meta({ description: 'What it belongs to: a saga’s id, `callbacks`, `deliveries` or `operators`' }),
    kind: z.enum(SPAN_KINDS).meta({ examples: ['call'] }),
    name: z.string().meta({ examples: ['process-payment'] }),
    from: timeSchema,
    to: timeSchema.meta({ description: 'The same as `from` for a mark' }),
    ms: z.number(),
    isBack: z.boolean().optional().meta({ description: 'On the way back' }),
    result: z.string().optional(),
    error: z.string().optional().meta({ description: 'What it ran into, in words' }),
    by: z.string().optional().meta({ description: 'The instance that did it' }),
    attempt: z.int().optional(),
    detail: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'AxisSpan' });

const refundOfOrderSchema = z
  .object({
    id: z.uuid(),
    state: z.enum(REFUND_STATES),
    amount: amountSchema,
    currency: currencySchema,
    reason: z.string(),
    attempt: z.int(),
    providerRefundId: z.string().nullable(),
    failure: z.string().nullable(),
    lateFailures: z.int().meta({ description: 'How often the provider took it back after it had settled' }),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'RefundDetail' });

const callbackOfOrderSchema = z
  .object({
    id: z.uuid(),
    eventId: z.string(),
    type: z.string(),
    transactionId: z.string(),
    state: z.enum(INBOX_STATES),
    attempts: z.int(),
    error: z.string().nullable(),
    receivedAt: timeSchema,
    processedAt: timeSchema.nullable(),
  })
  .meta({ id: 'CallbackDetail' });

const deliveryOfOrderSchema = z
  .object({
    id: z.uuid(),
    endpointId: z.uuid(),
    url: z.string(),
    eventId: z.uuid(),
    type: z.string(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int(),
    lastStatus: z.int().nullable(),
    lastError: z.string().nullable(),
    deliveredAt: timeSchema.nullable(),
    createdAt: timeSchema,
  })
  .meta({ id: 'DeliveryDetail' });

const paymentDetailSchema = z
  .object({
    id: z.uuid(),
    state: z.enum(PAYMENT_STATES),
    provider: z.string(),
    transactionId: z.string().nullable(),
    amount: amountSchema,
    capturedAmount: amountSchema
      .nullable()
      .meta({ description: 'Of an authorisation: what was captured of it; null where all was charged at once' }),
    authorizedUntil: timeSchema
      .nullable()
      .meta({ description: 'When the authorisation ends or ended; null where there is none any more' }),
    refundReserved: amountSchema.meta({ description: 'Of refunds that were asked for, settled or not' }),
    refundedAmount: amountSchema,
    currency: currencySchema,
    method: z.string(),
    declineCode: z.string().nullable(),
    dispute: disputeSchema.nullable(),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'PaymentDetail' });

export const dossierSchema = z
  .object({
    order: orderSchema,
    payment: paymentDetailSchema.nullable(),
    refunds: z.array(refundOfOrderSchema),
    sagas: z.array(
      sagaViewSchema.extend({ verbs: z.array(previewSchema).meta({ description: 'What can be done to it now' }) }),
    ),
    callbacks: z.array(callbackOfOrderSchema),
    deliveries: z.array(deliveryOfOrderSchema),
    actions: z.array(actionSchema).meta({ description: 'What operators did to it' }),
    verbs: z.array(previewSchema).meta({ description: 'What can be done to the order now, and what that will do' }),
    axis: z
      .array(spanSchema)
      .meta({ description: 'All that happened, by time: steps, waits, calls, commits, callbacks' }),
    traceId: z.string().optional().meta({ description: 'Of the trace of its checkout, where tracing is on' }),
    traceUrl: z.string().optional().meta({ description: 'Where people look at it (TRACE_URL)' }),
  })
  .meta({ id: 'Dossier', description: 'Everything about one order' });

/** An order and everything that belongs to it. Dates become text when it is serialised. */
export interface Dossier {
  readonly order: OrderView;
  readonly payment: PaymentOfOrder | null;
  readonly refunds: readonly RefundOfOrder[];
  readonly sagas: readonly (SagaView & { readonly verbs: readonly Preview[] })[];
  readonly callbacks: readonly CallbackOfOrder[];
  readonly deliveries: readonly DeliveryOfOrder[];
  readonly actions: readonly ActionView[];
  readonly verbs: readonly Preview[];
  readonly axis: readonly AxisSpan[];
  readonly traceId?: string;
  readonly traceUrl?: string;
}

export interface AxisSpan extends Omit<Span, 'from' | 'to'> {
  readonly from: string;
  readonly to: string;
  readonly ms: number;
}

/** By time. Spans that began at the same moment keep the order of the log. */
export function toAxis(spans: readonly Span[]): AxisSpan[] {
  return spans
    .toSorted((a, b) => a.from - b.from)
    .map((span) => {
      const to = Math.max(span.from, span.to);
      return { ...span, from: iso(span.from), to: iso(to), ms: to - span.from };
    });
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
