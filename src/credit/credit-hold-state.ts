import type { Transitions } from '../common/state-machine.js';

export const CREDIT_HOLD_STATES = ['HELD', 'TAKEN', 'RELEASED'] as const;
export type CreditHoldState = (typeof CREDIT_HOLD_STATES)[number];

/** Refunds pay a taken hold back without changing its state. */
export const CREDIT_HOLD_TRANSITIONS: Transitions<CreditHoldState> = {
  HELD: ['TAKEN', 'RELEASED'],
  TAKEN: [],
  RELEASED: [],
};
