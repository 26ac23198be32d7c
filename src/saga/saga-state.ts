import type { Transitions } from '../common/state-machine.js';

export type SagaState = 'RUNNING' | 'WAITING' | 'COMPENSATING' | 'COMPLETED' | 'COMPENSATED' | 'STUCK' | 'RESOLVED';

/** RUNNING → STUCK happens only after the pivot, where there is nothing to go back to. */
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
export type SagaPhase = 'execute' | 'call' | 'undo' | 'undo-call' | 'end';
