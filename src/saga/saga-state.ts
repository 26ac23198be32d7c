import type { Transitions } from '../common/state-machine.js';

export const SAGA_STATES = [
  'RUNNING',
  'WAITING',
  'COMPENSATING',
  'COMPLETED',
  'COMPENSATED',
  'STUCK',
  'RESOLVED',
] as const;
export type SagaState = (typeof SAGA_STATES)[number];

/** RUNNING → STUCK: behind the pivot, where there is nothing to go back to, or where only a person can tell what happened. */
export const SAGA_TRANSITIONS: Transitions<SagaState> = {
  RUNNING: ['WAITING', 'COMPLETED', 'COMPENSATING', 'STUCK'],
  WAITING: ['RUNNING', 'COMPENSATING'],
  COMPENSATING: ['COMPENSATED', 'STUCK'],
  STUCK: ['COMPENSATING', 'RUNNING', 'RESOLVED'],
  COMPLETED: [],
  COMPENSATED: [],
  RESOLVED: [],
};

/** execute/undo: the step's action is next. call/undo-call: its remote call is under way, or in doubt after a crash. */
export const SAGA_PHASES = ['execute', 'call', 'undo', 'undo-call', 'end'] as const;
export type SagaPhase = (typeof SAGA_PHASES)[number];
