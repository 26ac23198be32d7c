import { isPastPivot, type SagaDefinition, type SagaStep } from '../saga-definition.js';
import type { SagaPhase } from '../saga-state.js';

/** A place at which a saga may rest between two commits. */
interface Place {
  readonly position: number;
  readonly phase: Exclude<SagaPhase, 'end'>;
}

type Steps = readonly SagaStep<unknown>[];

/**
 * Every fault point that a saga of this definition can pass, found by walking the places between its commits. So a new
 * step is crashed at, too, and no point is listed that cannot be reached.
 */
export function faultPointsOf(definition: Pick<SagaDefinition<unknown>, 'steps'>): string[] {
  const { steps } = definition;
  const seen = new Map<string, Place>();
  const waiting: Place[] = [{ position: 0, phase: 'execute' }];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const key = nameOf(steps, place);
    if (seen.has(key)) continue;
    seen.set(key, place);
    waiting.push(...after(steps, place));
  }
  return [...seen].flatMap(([name, { position, phase }]) => [
    ...(phase === 'call' || phase === 'compensate-call' ? around('call', name) : []),
    ...around('commit', name),
    // A first transaction that fails leaves no saga in which a failure could be recorded.
    ...(position === 0 && phase === 'execute' ? [] : around('commit', `${name}:trouble`)),
  ]);
}

function around(what: 'call' | 'commit', name: string): string[] {
  return [`before-${what}:${name}`, `after-${what}:${name}`];
}

function nameOf(steps: Steps, { position, phase }: Place): string {
  return `${steps[position]?.name ?? ''}:${phase}`;
}

function after(steps: Steps, { position, phase }: Place): Place[] {
  switch (phase) {
    case 'execute':
      return [...forward(steps, position, true), ...gaveUp(steps, position - 1, position)];
    case 'call':
      return [
        ...backward(steps, position - 1, false, position),
        ...forward(steps, position + 1, false),
        ...gaveUp(steps, position, position),
      ];
    case 'compensate':
      return backward(steps, position, true);
    case 'compensate-call':
      return backward(steps, position - 1, false);
  }
}

/** One transaction forward: through local steps, up to a call, behind the pivot, or to a lock that it does not hold. */
function forward(steps: Steps, from: number, areLocksHeld: boolean): Place[] {
  const places: Place[] = [];
  for (let position = from; position < steps.length; position += 1) {
    const action = steps[position]?.execute;
    const isBehindPivot = steps[position - 1]?.isPivot === true && (position > from || !areLocksHeld);
    const needsLock = action?.kind === 'local' && action.locks !== undefined && !areLocksHeld;
    if (needsLock || (isBehindPivot && (action?.kind !== 'remote' || action.prepare)))
      return [...places, { position, phase: 'execute' }];
    places.push(...backward(steps, position - 1, false, position));
    if (action?.kind === 'remote') return [...places, { position, phase: 'call' }];
  }
  return places;
}

/** The same transaction turns back, or the way back continues in its own transaction. */
function backward(steps: Steps, from: number, areLocksHeld: boolean, failedAt?: number): Place[] {
  if (failedAt !== undefined && isPastPivot(steps, failedAt)) return [];
  for (let position = from; position >= 0; position -= 1) {
    const action = steps[position]?.compensate;
    if (action?.kind === 'remote') return [{ position, phase: 'compensate-call' }];
    if (action?.locks && !areLocksHeld) return [{ position, phase: 'compensate' }];
  }
  return [];
}

/** A stored failure only says where to go: the compensation there begins with its own transaction. */
function gaveUp(steps: Steps, from: number, failedAt: number): Place[] {
  if (isPastPivot(steps, failedAt)) return [];
  for (let position = from; position >= 0; position -= 1) {
    if (steps[position]?.compensate) return [{ position, phase: 'compensate' }];
  }
  return [];
}
