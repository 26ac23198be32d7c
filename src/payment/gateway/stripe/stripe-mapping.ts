import type { Stripe } from 'stripe';
import type {
  ChargeResult,
  KnownDispute,
  KnownRefund,
  LedgerCharge,
  NextAction,
  RefundResult,
  CallbackEvent,
} from '../payment-gateway.js';
import type { DisputeState } from '../../dispute.js';
import { fromStripeAmount } from './stripe-amount.js';
import { declineCodeOf, fingerprintOf } from './stripe-errors.js';

/** The metadata by which we find our own objects. */
export const METADATA = { orderId: 'orderId', key: 'idempotencyKey' } as const;

/** Any other status (Stripe may add some) is neither success nor failure: ask again later. */
export function toChargeResult(intent: Stripe.PaymentIntent): ChargeResult {
  const { id: transactionId, status } = intent;
  if (status === 'succeeded') return { kind: 'captured', transactionId };
  if (status === 'requires_capture') return { kind: 'authorized', transactionId, ...authorizedUntil(intent) };
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
  const refunded = refundedOf(intent);
  return {
    id: intent.id,
    orderId,
    amount: fromStripeAmount(intent.amount, intent.currency),
    capturedAmount: fromStripeAmount(intent.amount_received, intent.currency),
    refundedAmount: fromStripeAmount(refunded, intent.currency),
    currency: intent.currency.toUpperCase(),
    state: ledgerState(intent, refunded),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    createdAt: new Date(intent.created * 1_000),
  };
}

/** Undefined for a dispute of a charge without an intent, which is not ours. */
export function toKnownDispute(dispute: Stripe.Dispute): KnownDispute | undefined {
  const transactionId = intentIdOf(dispute);
  if (transactionId === undefined) return undefined;
  const { id, amount, currency, reason, status, created, evidence_details: evidence } = dispute;
  return {
    ...{ id, transactionId, reason, state: DISPUTE_STATE[status] ?? 'OPEN' },
    amount: fromStripeAmount(amount, currency),
    currency: currency.toUpperCase(),
    openedAt: toTime(created),
    ...(evidence.due_by !== null && { respondBy: toTime(evidence.due_by) }),
  };
}

/** Any other status waits for the shop or for the bank. */
const DISPUTE_STATE: Readonly<Partial<Record<string, DisputeState>>> = {
  won: 'WON',
  lost: 'LOST',
  warning_closed: 'CLOSED',
  prevented: 'CLOSED',
};

/** `charge.refunded` is ignored: it names no refund, and `refund.*` reports the same with one. */
export function toWebhookEvent(event: Stripe.Event): CallbackEvent {
  return { id: event.id, occurredAt: new Date(event.created * 1_000), ...eventFields(event) };
}

function eventFields({ type, data }: Stripe.Event): Omit<CallbackEvent, 'id' | 'occurredAt'> {
  if (type === 'payment_intent.succeeded') return { type: 'charge.captured', ...intentFields(data.object) };
  if (type === 'payment_intent.amount_capturable_updated')
    return { type: 'charge.authorized', ...intentFields(data.object) };
  if (type === 'payment_intent.payment_failed') {
    const declineCode = declineCodeOf(data.object.last_payment_error ?? {});
    return { type: 'charge.declined', ...intentFields(data.object), declineCode };
  }
  if (type === 'payment_intent.canceled') {
    const wasAuthorized = isManual(data.object) && data.object.latest_charge !== null;
    if (wasAuthorized) return { type: 'charge.voided', ...intentFields(data.object) };
    return { type: 'charge.declined', ...intentFields(data.object), declineCode: 'cancelled' };
  }
  const dispute = DISPUTE_EVENT[type];
  if (dispute) return disputeFields(dispute, data.object as Stripe.Dispute);
  if (
    type === 'refund.created' ||
    type === 'refund.updated' ||
    type === 'refund.failed' ||
    type === 'charge.refund.updated'
  )
    return refundFields(data.object);
  return { type: 'ignored', transactionId: '' };
}

const DISPUTE_EVENT: Readonly<Partial<Record<string, CallbackEvent['type']>>> = {
  'charge.dispute.created': 'dispute.opened',
  'charge.dispute.updated': 'dispute.updated',
  'charge.dispute.closed': 'dispute.closed',
};

/** Stripe's own reasons. The others are what a person chose who cancelled it. */
const EXPIRY: ReadonlySet<string | null> = new Set(['automatic', 'expired']);

function ledgerState(intent: Stripe.PaymentIntent, refunded: number): LedgerCharge['state'] {
  const { status, amount_received: captured } = intent;
  if (status === 'succeeded') return refunded > 0 && refunded >= captured ? 'REFUNDED' : 'CAPTURED';
  if (status === 'requires_capture') return 'AUTHORIZED';
  if (status === 'canceled') {
    if (!isManual(intent) || chargeOf(intent)?.status !== 'succeeded') return 'CANCELLED';
    return EXPIRY.has(intent.cancellation_reason) ? 'EXPIRED' : 'VOIDED';
  }
  return intent.status === 'requires_payment_method' ? 'DECLINED' : 'PENDING';
}

/** What was paid back of what was captured. Stripe counts the rest that a partial capture releases as refunded, too. */
function refundedOf(intent: Stripe.PaymentIntent): number {
  const charge = chargeOf(intent);
  if (intent.status !== 'succeeded' || !charge) return 0;
  return Math.max(0, charge.amount_refunded - (intent.amount - intent.amount_received));
}

/** Where it was expanded. */
function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | undefined {
  return typeof charge === 'object' ? (charge ?? undefined) : undefined;
}

function isManual({ capture_method: method }: Stripe.PaymentIntent): boolean {
  return method === 'manual';
}

/** The card's network decides how long an authorisation lasts. */
function authorizedUntil(intent: Stripe.PaymentIntent): { authorizedUntil?: string } {
  const before = chargeOf(intent)?.payment_method_details?.card?.capture_before;
  return before === undefined ? {} : { authorizedUntil: toTime(before) };
}

function toTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
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

/** A dispute has no metadata of ours: whose charge it is has to be asked. */
function disputeFields(type: CallbackEvent['type'], dispute: Stripe.Dispute): Omit<CallbackEvent, 'id' | 'occurredAt'> {
  const transactionId = intentIdOf(dispute);
  if (transactionId === undefined) return { type: 'ignored', transactionId: '' };
  const amount = fromStripeAmount(dispute.amount, dispute.currency);
  return { type, transactionId, amount, disputeId: dispute.id };
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

function intentIdOf({ payment_intent: intent }: Stripe.Refund | Stripe.Dispute): string | undefined {
  return typeof intent === 'string' ? intent : intent?.id;
}
