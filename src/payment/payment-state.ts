import type { Transitions } from '../common/state-machine.js';

export const PAYMENT_STATES = ['PENDING', 'REQUIRES_ACTION', 'IN_DOUBT', 'CAPTURED', 'DECLINED', 'REFUNDED'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const REFUND_STATES = ['PENDING', 'IN_DOUBT', 'SETTLED', 'FAILED'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/**
 * A payment is REFUNDED when its refunds add up to its amount. A refund that the provider takes back makes it CAPTURED
 * again until it is repaid.
 */
export const PAYMENT_TRANSITIONS: Transitions<PaymentState> = {
  PENDING: ['REQUIRES_ACTION', 'CAPTURED', 'DECLINED', 'IN_DOUBT'],
  REQUIRES_ACTION: ['CAPTURED', 'DECLINED'],
  IN_DOUBT: ['CAPTURED', 'DECLINED', 'REQUIRES_ACTION'],
  CAPTURED: ['REFUNDED'],
  DECLINED: [],
  REFUNDED: ['CAPTURED'],
};

/** SETTLED → FAILED: a bank may return the money days after the provider reported it as paid. */
export const REFUND_TRANSITIONS: Transitions<RefundState> = {
  PENDING: ['SETTLED', 'IN_DOUBT', 'FAILED'],
  IN_DOUBT: ['SETTLED', 'FAILED'],
  FAILED: ['PENDING'],
  SETTLED: ['FAILED'],
};
