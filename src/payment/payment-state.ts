import type { Transitions } from '../common/state-machine.js';

export const PAYMENT_STATES = [
  'PENDING',
  'REQUIRES_ACTION',
  'IN_DOUBT',
  'AUTHORIZED',
  'CAPTURED',
  'DECLINED',
  'REFUNDED',
  'VOIDED',
  'EXPIRED',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const REFUND_STATES = ['PENDING', 'IN_DOUBT', 'SETTLED', 'FAILED'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/**
 * A payment is REFUNDED when its refunds add up to what was captured. A refund that the provider takes back makes it
 * CAPTURED again until it is repaid. An authorisation is VOIDED if we ended it without taking anything, and EXPIRED if its
 * time ran out or the provider ended it.
 */
export const PAYMENT_TRANSITIONS: Transitions<PaymentState> = {
  PENDING: ['REQUIRES_ACTION', 'AUTHORIZED', 'CAPTURED', 'DECLINED', 'IN_DOUBT'],
  REQUIRES_ACTION: ['AUTHORIZED', 'CAPTURED', 'DECLINED'],
  IN_DOUBT: ['AUTHORIZED', 'CAPTURED', 'DECLINED', 'REQUIRES_ACTION'],
  AUTHORIZED: ['CAPTURED', 'VOIDED', 'EXPIRED'],
  CAPTURED: ['REFUNDED'],
  DECLINED: [],
  REFUNDED: ['CAPTURED'],
  VOIDED: [],
  EXPIRED: [],
};

/** SETTLED → FAILED: a bank may return the money days after the provider reported it as paid. */
export const REFUND_TRANSITIONS: Transitions<RefundState> = {
  PENDING: ['SETTLED', 'IN_DOUBT', 'FAILED'],
  IN_DOUBT: ['SETTLED', 'FAILED'],
  FAILED: ['PENDING'],
  SETTLED: ['FAILED'],
};
