import type { Transitions } from '../../src/common/state-machine.js';

/** Every state that can be entered from this one, itself included. */
export function reachableFrom<S extends string>(transitions: Transitions<S>, start: S): Set<S> {
  const seen = new Set<S>([start]);
  for (const state of seen) for (const next of transitions[state]) seen.add(next);
  return seen;
}
