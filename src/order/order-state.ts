import type { Transitions } from '../common/state-machine.js';

export type OrderState = 'PENDING' | 'CONFIRMED' | 'REJECTED' | 'CANCELLED';

export const ORDER_TRANSITIONS: Transitions<OrderState> = {
  PENDING: ['CONFIRMED', 'REJECTED'],
  CONFIRMED: ['CANCELLED'],
  REJECTED: [],
  CANCELLED: [],
};
