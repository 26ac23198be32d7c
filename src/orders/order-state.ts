import type { Transitions } from '../common/state-machine.js';

export const ORDER_STATES = ['PENDING', 'CONFIRMED', 'REJECTED', 'CANCELLED'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

export const ORDER_TRANSITIONS: Transitions<OrderState> = {
  PENDING: ['CONFIRMED', 'REJECTED'],
  CONFIRMED: ['CANCELLED'],
  REJECTED: [],
  CANCELLED: [],
};
