import { z } from 'zod';
import { InvalidSignatureError, CallbackEvent } from '../payment-gateway.js';
import type { Charge } from './sandbox-charge.repository.js';
import { sandboxId } from './sandbox-id.js';
import type { Refund } from './sandbox-refund.repository.js';

/** The body of a callback. The amount is what this event moved: the charge's amount, or the refund's. */
const sandboxEventSchema = z.object({
  id: z.string().min(1),
  type: z.string(),
  createdAt: z.iso.datetime(),
  data: z.object({
    chargeId: z.string().min(1),
    orderId: z.string().min(1),
    amount: z.int().min(0),
    currency: z.string(),
    declineCode: z.string().optional(),
    refundId: z.string().optional(),
  }),
});

export type SandboxEvent = z.infer<typeof sandboxEventSchema>;

const KNOWN_TYPES = [
  'charge.captured',
  'charge.authorized',
  'charge.declined',
  'charge.voided',
  'refund.settled',
  'refund.failed',
] as const;

/** PENDING is nothing to announce, and neither is what the caller cancelled before anything was authorised. */
const ANNOUNCED: Readonly<Partial<Record<Charge['state'], (typeof KNOWN_TYPES)[number]>>> = {
  AUTHORIZED: 'charge.authorized',
  CAPTURED: 'charge.captured',
  DECLINED: 'charge.declined',
  VOIDED: 'charge.voided',
  EXPIRED: 'charge.voided',
};

type AnnouncedCharge = Pick<Charge, 'id' | 'orderId' | 'amount' | 'currency' | 'state' | 'declineCode'> &
  Partial<Pick<Charge, 'capturedAmount'>>;

/** Undefined while there is nothing to announce. */
export function chargeEvent(charge: AnnouncedCharge): SandboxEvent | undefined {
  const type = ANNOUNCED[charge.state];
  if (type === undefined) return undefined;
  const { id: chargeId, orderId, amount, capturedAmount = amount, currency, declineCode } = charge;
  return event(type, {
    chargeId,
    orderId,
    amount: charge.state === 'CAPTURED' ? capturedAmount : amount,
    currency,
    ...(declineCode !== undefined && { declineCode }),
  });
}

export function refundEvent(charge: AnnouncedCharge, refund: Refund): SandboxEvent {
  return event(refund.state === 'SETTLED' ? 'refund.settled' : 'refund.failed', {
    chargeId: charge.id,
    orderId: charge.orderId,
    amount: refund.amount,
    currency: charge.currency,
    refundId: refund.id,
  });
}

/**
 * In the terms of the port. A signed event of an unknown type is ignored, not refused, because providers add event
 * types.
 */
export function toWebhookEvent(rawBody: Buffer): CallbackEvent {
  const { id, type, createdAt, data } = parseBody(rawBody);
  return {
    id,
    type: KNOWN_TYPES.find((known) => known === type) ?? 'ignored',
    transactionId: data.chargeId,
    orderId: data.orderId,
    amount: data.amount,
    ...(data.declineCode !== undefined && { declineCode: data.declineCode }),
    ...(data.refundId !== undefined && { refundId: data.refundId }),
    occurredAt: new Date(createdAt),
  };
}

function parseBody(rawBody: Buffer): SandboxEvent {
  try {
    return sandboxEventSchema.parse(JSON.parse(rawBody.toString('utf8')));
  } catch {
    throw new InvalidSignatureError('the body is not an event');
  }
}

function event(type: (typeof KNOWN_TYPES)[number], data: SandboxEvent['data']): SandboxEvent {
  return { id: sandboxId('evt'), type, createdAt: new Date().toISOString(), data };
}
