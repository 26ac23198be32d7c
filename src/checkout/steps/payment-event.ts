import { amountDue } from '../../common/totals.js';
import type { DomainEvent } from '../../platform/outbox/domain-event.js';
import type { StepContext } from '../../saga/step-context.js';
import type { CheckoutData } from '../checkout-data.js';

const EVENTS = {
  captured: 'payment.captured',
  authorized: 'payment.authorized',
  declined: 'payment.declined',
} as const;

/** What became of the charge, for the outbox; noted in the order's timeline, too. */
export function paymentEvent(run: StepContext<CheckoutData>): DomainEvent {
  const { orderId, paymentId, currency, charge } = run.data;
  if (!charge || !(charge.kind in EVENTS)) throw new Error('the charge has no outcome to be announced');
  const type = EVENTS[charge.kind as keyof typeof EVENTS];
  const detail = {
    ...{ paymentId, amount: amountDue(run.data), currency, transactionId: charge.transactionId },
    ...(charge.kind === 'declined' && { declineCode: charge.declineCode }),
    ...(charge.kind === 'authorized' && { authorizedUntil: charge.authorizedUntil }),
  };
  run.note(type, detail);
  return { type, subject: orderId, payload: { orderId, ...detail } };
}
