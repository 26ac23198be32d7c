import { isTerminal, type Transitions } from '../common/state-machine.js';

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

/**
 * RUNNING → STUCK: behind the pivot, where there is nothing to go back to, or where only a person can find out what
 * happened. RUNNING → COMPENSATED: all of the way back fits into the transaction in which the saga turns back, as when a
 * payment is declined.
 */
export const SAGA_TRANSITIONS: Transitions<SagaState> = {
  RUNNING: ['WAITING', 'COMPLETED', 'COMPENSATING', 'COMPENSATED', 'STUCK'],
  WAITING: ['RUNNING', 'COMPENSATING'],
  COMPENSATING: ['COMPENSATED', 'STUCK'],
  STUCK: ['COMPENSATING', 'RUNNING', 'RESOLVED'],
  COMPLETED: [],
  COMPENSATED: [],
  RESOLVED: [],
};

/** Not ended: some instance or operator has to end it. */
export const OPEN_STATES = SAGA_STATES.filter((state) => !isTerminal(SAGA_TRANSITIONS, state));
/** An instance works on it, under a lease. */
export const DRIVEN_STATES = ['RUNNING', 'COMPENSATING'] as const satisfies readonly SagaState[];

/**
 * execute, compensate: the step's action is next. call, compensate-call: its remote call is under way, or in doubt after a
 * crash. Each with its name in the database and over HTTP, which instances and clients of earlier releases know.
 */
export const PHASE_NAMES = {
  execute: 'execute',
  call: 'call',
  compensate: 'undo',
  'compensate-call': 'undo-call',
  end: 'end',
} as const;
export type SagaPhase = keyof typeof PHASE_NAMES;
export type PhaseName = (typeof PHASE_NAMES)[SagaPhase];

const BACKWARD: ReadonlySet<string> = new Set(['compensate', 'compensate-call', 'undo', 'undo-call']);
const PHASES = new Map(Object.entries(PHASE_NAMES).map(([phase, name]) => [name, phase as SagaPhase]));

export function phaseOf(name: PhaseName): SagaPhase {
  const phase = PHASES.get(name);
  if (!phase) throw new Error(`no phase is called ${name}`);
  return phase;
}

export function isCompensating(phase: SagaPhase | PhaseName): boolean {
  return BACKWARD.has(phase);
}
