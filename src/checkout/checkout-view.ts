import type { OrderView } from '../orders/order.dto.js';
import type { CheckoutData, CheckoutOutcome } from './checkout-data.js';

const PAYMENT_STATE = {
  captured: 'CAPTURED',
  declined: 'DECLINED',
  requires_action: 'REQUIRES_ACTION',
  processing: 'PENDING',
} as const;

/** An order as its own saga knows it: the answer to a checkout needs no second look at the database. */
export function viewOfCheckout(data: CheckoutData, outcome: CheckoutOutcome | null, eventsUrl: string): OrderView {
  const isConfirmed = outcome?.kind === 'confirmed';
  const nextAction = data.charge?.kind === 'requires_action' && !outcome ? data.charge.nextAction : undefined;
  return {
    id: data.orderId,
    state: isConfirmed ? 'CONFIRMED' : outcome ? 'REJECTED' : 'PENDING',
    currency: data.currency,
    total: data.total,
    lines: data.lines,
    customer: data.customer,
    payment: {
      id: data.paymentId,
      state: data.charge ? PAYMENT_STATE[data.charge.kind] : 'PENDING',
      amount: data.total,
      refundedAmount: 0,
      method: data.method,
    },
    reservation: data.expiresAt
      ? { id: data.reservationId, state: isConfirmed ? 'COMMITTED' : 'HELD', expiresAt: data.expiresAt }
      : null,
    sagaId: data.sagaId,
    ...(nextAction && { nextAction }),
    eventsUrl,
    metadata: data.metadata,
    createdAt: data.createdAt,
    updatedAt: outcome?.at ?? data.createdAt,
  };
}
