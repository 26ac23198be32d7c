import type { Stripe } from 'stripe';
import type {
  ChargeResult,
  KnownRefund,
  LedgerCharge,
  NextAction,
  RefundResult,
  CallbackEvent,
} from '../payment-gateway.js';
import { fromStripeAmount } from './stripe-amount.js';
import { declineCodeOf, fingerprintOf } from './stripe-errors.js';

/** The metadata by which we find our own objects. */
export const METADATA = { orderId: 'orderId', key: 'idempotencyKey' } as const;

/** Any other status (Stripe may add some) is neither success nor failure: ask again later. */
export function toChargeResult(intent: Stripe.PaymentIntent): ChargeResult {
  const { id: transactionId, status } = intent;
  if (status === 'succeeded') return { kind: 'captured', transactionId };
  if (status === 'canceled') return { kind: 'declined', transactionId, declineCode: 'cancelled' };
  if (status === 'requires_payment_method') {
    const error = intent.last_payment_error;
    const fingerprint = fingerprintOf(error?.payment_method);
    const declined = { kind: 'declined', transactionId, declineCode: declineCodeOf(error ?? {}) } as const;
    return fingerprint === undefined ? declined : { ...declined, fingerprint };
  }
  const nextAction = status === 'requires_action' ? toNextAction(intent) : undefined;
  return nextAction ? { kind: 'requires_action', transactionId, nextAction } : { kind: 'processing', transactionId };
}

export function toRefundResult({ id, status, failure_reason: reason }: Stripe.Refund): RefundResult {
  if (status === 'succeeded') return { kind: 'settled', refundId: id };
  if (status === 'failed' || status === 'canceled') return { kind: 'failed', reason: reason ?? `refund_${status}` };
  return { kind: 'processing', refundId: id };
}

/** Undefined for a refund of a charge without an intent, which is not ours. */
export function toKnownRefund(refund: Stripe.Refund): KnownRefund | undefined {
  const transactionId = intentIdOf(refund);
  if (transactionId === undefined) return undefined;
  const { [METADATA.orderId]: orderId, [METADATA.key]: idempotencyKey } = refund.metadata ?? {};
  return {
    id: refund.id,
    transactionId,
    amount: fromStripeAmount(refund.amount, refund.currency),
    result: toRefundResult(refund),
    ...(orderId !== undefined && { orderId }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
}

/** Undefined for an intent that is not ours: others may charge through the same account. */
export function toLedgerCharge(intent: Stripe.PaymentIntent): LedgerCharge | undefined {
  const { [METADATA.orderId]: orderId, [METADATA.key]: idempotencyKey } = intent.metadata;
  if (orderId === undefined) return undefined;
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  const refunded = charge?.amount_refunded ?? 0;
  return {
    id: intent.id,
    orderId,
    amount: fromStripeAmount(intent.amount, intent.currency),
    refundedAmount: fromStripeAmount(refunded, intent.currency),
    currency: intent.currency.toUpperCase(),
    state: ledgerState(intent, refunded),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    createdAt: new Date(intent.created * 1_000),
  };
}

/** `charge.refunded` is ignored: it names no refund, and `refund.*` reports the same with one. */
export function toWebhookEvent(event: Stripe.Event): CallbackEvent {
  return { id: event.id, occurredAt: new Date(event.created * 1_000), ...eventFields(event) };
}

function eventFields({ type, data }: Stripe.Event): Omit<CallbackEvent, 'id' | 'occurredAt'> {
  if (type === 'payment_intent.succeeded') return { type: 'charge.captured', ...intentFields(data.object) };
  if (type === 'payment_intent.payment_failed') {
    const declineCode = declineCodeOf(data.object.last_payment_error ?? {});
    return { type: 'charge.declined', ...intentFields(data.object), declineCode };
  }
  if (type === 'payment_intent.canceled') {
    return { type: 'charge.declined', ...intentFields(data.object), declineCode: 'cancelled' };
  }
  if (
    type === 'refund.created' ||
    type === 'refund.updated' ||
    type === 'refund.failed' ||
    type === 'charge.refund.updated'
  )
    return refundFields(data.object);
  return { type: 'ignored', transactionId: '' };
}

function ledgerState(intent: Stripe.PaymentIntent, refunded: number): LedgerCharge['state'] {
  if (intent.status === 'succeeded') return refunded > 0 && refunded >= intent.amount ? 'REFUNDED' : 'CAPTURED';
  if (intent.status === 'canceled') return 'CANCELLED';
  return intent.status === 'requires_payment_method' ? 'DECLINED' : 'PENDING';
}

function toNextAction(intent: Stripe.PaymentIntent): NextAction | undefined {
  const url = intent.next_action?.redirect_to_url?.url;
  if (url) return { type: 'redirect_to_url', url };
  if (intent.next_action?.type !== 'use_stripe_sdk' || intent.client_secret === null) return undefined;
  return { type: 'use_stripe_sdk', clientSecret: intent.client_secret };
}

function intentFields(intent: Stripe.PaymentIntent): Pick<CallbackEvent, 'transactionId' | 'orderId' | 'amount'> {
  const orderId = intent.metadata[METADATA.orderId];
  const amount = fromStripeAmount(intent.amount, intent.currency);
  return { transactionId: intent.id, amount, ...(orderId !== undefined && { orderId }) };
}

function refundFields(refund: Stripe.Refund): Omit<CallbackEvent, 'id' | 'occurredAt'> {
  const { kind } = toRefundResult(refund);
  const transactionId = intentIdOf(refund);
  const orderId = refund.metadata?.[METADATA.orderId];
  return {
    type: kind === 'processing' || transactionId === undefined ? 'ignored' : `refund.${kind}`,
    transactionId: transactionId ?? '',
    amount: fromStripeAmount(refund.amount, refund.currency),
    refundId: refund.id,
    ...(orderId !== undefined && { orderId }),
  };
}

function intentIdOf({ payment_intent: intent }: Stripe.Refund): string | undefined {
  return typeof intent === 'string' ? intent : intent?.id;
}
