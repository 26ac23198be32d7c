import type { Transitions } from '../common/state-machine.js';

export type PaymentState = 'PENDING' | 'REQUIRES_ACTION' | 'IN_DOUBT' | 'CAPTURED' | 'DECLINED' | 'REFUNDED';
export type RefundState = 'PENDING' | 'IN_DOUBT' | 'SETTLED' | 'FAILED';

export const PAYMENT_TRANSITIONS: Transitions<PaymentState> = {
  PENDING: ['REQUIRES_ACTION', 'CAPTURED', 'DECLINED', 'IN_DOUBT'],
  REQUIRES_ACTION: ['CAPTURED', 'DECLINED'],
  IN_DOUBT: ['CAPTURED', 'DECLINED', 'REQUIRES_ACTION'],
  CAPTURED: ['REFUNDED'],
  DECLINED: [],
  REFUNDED: [],
};

export const REFUND_TRANSITIONS: Transitions<RefundState> = {
  PENDING: ['SETTLED', 'IN_DOUBT', 'FAILED'],
  IN_DOUBT: ['SETTLED', 'FAILED'],
  FAILED: ['PENDING'],
  SETTLED: [],
};
