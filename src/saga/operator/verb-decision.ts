import { DomainError } from '../../common/domain-error.js';
import { isPastPivot, type SagaDefinition } from '../saga-definition.js';
import { isCompensating, type SagaPhase, type SagaState } from '../saga-state.js';

export const SAGA_VERBS = ['retry', 'compensate', 'resolve'] as const;
export type Verb = (typeof SAGA_VERBS)[number];

/** Where a saga stands, as far as a verb has to know. */
export interface SagaPlace {
  readonly state: SagaState;
  readonly phase: SagaPhase;
  readonly position: number;
}

/** Where a saga goes on after a command. */
export interface Decision {
  readonly to: SagaState;
  readonly phase: SagaPhase;
  readonly position: number;
}

/** Throws INVALID_STATE where the verb makes no sense. */
export function decide(saga: SagaPlace, verb: Verb, definition: SagaDefinition<unknown> | undefined): Decision {
  const { state, phase, position } = saga;
  switch (verb) {
    case 'retry':
      if (state !== 'STUCK') throw refusalOf(saga, verb);
      return { to: isCompensating(phase) ? 'COMPENSATING' : 'RUNNING', phase, position };
    case 'resolve':
      if (state !== 'STUCK') throw refusalOf(saga, verb);
      return { to: 'RESOLVED', phase: 'end', position };
    case 'compensate':
      return turnBack(saga, definition?.steps ?? []);
  }
}

/** Compensates from the present position; a call that may have happened comes first. Never from behind the pivot. */
function turnBack(saga: SagaPlace, steps: SagaDefinition<unknown>['steps']): Decision {
  const { state, phase, position } = saga;
  if (isPastPivot(steps, position) || (state !== 'RUNNING' && state !== 'WAITING' && state !== 'STUCK'))
    throw refusalOf(saga, 'compensate');
  if (isCompensating(phase)) return { to: 'COMPENSATING', phase, position };
  let from = phase === 'call' ? position : position - 1;
  while (from >= 0 && !steps[from]?.compensate) from -= 1;
  if (from < 0) throw refusalOf(saga, 'compensate');
  return { to: 'COMPENSATING', phase: 'compensate', position: from };
}

/**
 * The last compensation that a saga which is resolved still runs; undefined if there is none, or if one of them would need
 * a call or a lock: what was settled by hand is then all that is settled.
 */
export function lastOfRest(
  { phase, position }: SagaPlace,
  definition: SagaDefinition<unknown> | undefined,
): number | undefined {
  if (!definition || !isCompensating(phase)) return undefined;
  const rest = definition.steps.slice(0, position).map((step) => step.compensate);
  if (rest.some((action) => action && (action.kind === 'remote' || action.locks))) return undefined;
  const last = rest.findLastIndex((action) => action !== undefined);
  return last < 0 ? undefined : last;
}

export function refusalOf({ state }: SagaPlace, verb: Verb): DomainError {
  return new DomainError('INVALID_STATE', `A saga that is ${state} cannot be told to ${verb}`, { state });
}
