import { z } from 'zod';
import { ONE_LINE } from '../common/text.js';
import { amountDue, sumOf, type TotalLine, totalsOf } from '../common/totals.js';
import { skuIdSchema } from '../platform/http/fields.js';
import type { ReservationState } from '../inventory/reservation/reservation.js';
import { ORDER_STATES, type OrderState } from './order-state.js';
import type { OrderLine, OrderRejection } from './order.entity.js';
import type { OrderRow } from './order.repository.js';
import type { NextAction } from '../payment/gateway/payment-gateway.js';
import { capturedOf } from '../payment/captured.js';
import type { Dispute } from '../payment/dispute.js';
import type { PaymentState } from '../payment/payment-state.js';
import { NO_METHOD, type PaymentRow } from '../payment/payment.repository.js';

/** An id that cannot exist is an order that does not exist: 404, as for any other stranger's order. */
export const orderIdSchema = z
  .string()
  .meta({ format: 'uuid', description: 'The order’s id' })
  .transform((id) => (z.uuid().safeParse(id).success ? id : NIL));
const NIL = '00000000-0000-0000-0000-000000000000';

export const orderListSchema = z.strictObject({
  customerId: z.string().min(1).max(200).regex(ONE_LINE).optional(),
  state: z.enum(ORDER_STATES).optional(),
  email: z.email().max(320).optional().meta({ description: 'For admins; upper and lower case are the same' }),
  sku: skuIdSchema.optional().meta({ description: 'Orders that have a line of it' }),
  idempotencyKey: z
    .string()
    .min(1)
    .max(255)
    .regex(ONE_LINE)
    .optional()
    .meta({ description: 'For admins: the key that the checkout was sent with' }),
  transactionId: z
    .string()
    .min(1)
    .max(255)
    .regex(ONE_LINE)
    .optional()
    .meta({ description: 'For admins: the provider’s id of the charge, which the provider is asked about' }),
  createdFrom: z.iso.datetime({ offset: true }).optional().meta({ description: 'Created then or later' }),
  createdTo: z.iso.datetime({ offset: true }).optional().meta({ description: 'Created before then' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional().meta({ description: '`nextCursor` of the page before' }),
});
export type OrderListQuery = z.infer<typeof orderListSchema>;

export interface OrderView {
  readonly id: string;
  readonly state: OrderState;
  readonly currency: string;
  readonly total: number;
  readonly totals: readonly TotalLine[];
  readonly amountDue: number;
  readonly lines: readonly OrderLine[];
  readonly customer: { readonly id?: string | undefined; readonly email?: string | undefined };
  readonly payment: {
    id: string;
    state: PaymentState;
    /** What the card pays: charged at once, or authorised first. */
    amount: number;
    capturedAmount: number;
    refundedAmount: number;
    /** Until when an AUTHORIZED payment may be captured. */
    authorizedUntil?: string;
    /** Paid back as store credit instead. */
    creditedAmount?: number;
    method: string | null;
    dispute?: Dispute;
  } | null;
  readonly credit?: { readonly amount: number; readonly refundedAmount: number };
  readonly reservation: { id: string; state: ReservationState; expiresAt: string } | null;
  readonly sagaId: string;
  readonly rejection?: OrderRejection;
  readonly nextAction?: NextAction;
  readonly eventsUrl: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** On the creating answer and its replay only. */
  readonly accessToken?: string;
}

export interface ReservationSummary {
  readonly id: string;
  readonly state: ReservationState;
  readonly expiresAt: Date;
}

/** An order as it is stored now. */
export function viewOfOrder(
  order: OrderRow,
  payment: PaymentRow | undefined,
  reservation: ReservationSummary | undefined,
  creditRefunded: number,
  eventsUrl: string,
): OrderView {
  return {
    id: order.id,
    state: order.state,
    currency: order.currency,
    total: order.total,
    totals: totalsOf(order),
    amountDue: amountDue(order),
    lines: order.lines,
    customer: {
      ...(order.customerId !== null && { id: order.customerId }),
      ...(order.customerEmail !== null && { email: order.customerEmail }),
    },
    payment: payment ? viewOfPayment(payment) : null,
    ...(order.credit && { credit: { amount: sumOf(order.credit), refundedAmount: creditRefunded } }),
    reservation: reservation
      ? { id: reservation.id, state: reservation.state, expiresAt: reservation.expiresAt.toISOString() }
      : null,
    sagaId: order.sagaId,
    ...(order.rejection && { rejection: withoutNote(order.rejection) }),
    ...(payment?.state === 'REQUIRES_ACTION' && payment.nextAction && { nextAction: payment.nextAction }),
    eventsUrl,
    metadata: order.metadata,
    createdAt: order.createdAt.toISOString(),
    updatedAt: new Date(Math.max(order.updatedAt.getTime(), payment?.updatedAt.getTime() ?? 0)).toISOString(),
  };
}

function viewOfPayment(payment: PaymentRow): NonNullable<OrderView['payment']> {
  const { id, state, amount, refundedAmount, creditedAmount, authorizedUntil, method, dispute } = payment;
  return {
    ...{ id, state, amount, capturedAmount: capturedOf(payment), refundedAmount },
    ...(state === 'AUTHORIZED' && authorizedUntil && { authorizedUntil: authorizedUntil.toISOString() }),
    ...(creditedAmount > 0 && { creditedAmount }),
    method: method === NO_METHOD ? null : method,
    ...(dispute && { dispute }),
  };
}

/** What the refusal left to the customer, if the checkout made it: its token is not known yet. */
export function newHoldOf({ rejection }: Pick<OrderRow, 'rejection'>): { readonly id: string } | undefined {
  return rejection?.isHoldNew === true ? (rejection.reservation as { id: string }) : undefined;
}

function withoutNote(rejection: OrderRejection): OrderRejection {
  return { ...rejection, isHoldNew: undefined };
}
