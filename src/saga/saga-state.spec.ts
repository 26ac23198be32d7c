import { canMove, isTerminal } from '../common/state-machine.js';
import { reachableFrom } from '../../test/setup/state-machines.js';
import { SAGA_STATES, SAGA_TRANSITIONS } from './saga-state.js';

describe('the states of a saga', () => {
  it('are all reachable, and every open one can still end', () => {
    expect(reachableFrom(SAGA_TRANSITIONS, 'RUNNING')).toEqual(new Set(SAGA_STATES));
    for (const state of SAGA_STATES.filter((name) => !isTerminal(SAGA_TRANSITIONS, name))) {
      const ends = [...reachableFrom(SAGA_TRANSITIONS, state)].filter((name) => isTerminal(SAGA_TRANSITIONS, name));
      expect([state, ends.length > 0]).toEqual([state, true]);
    }
  });

  it('never go from the way back to the way forward, except by an operator', () => {
    expect(canMove(SAGA_TRANSITIONS, 'COMPENSATING', 'RUNNING')).toBe(false);
    expect(canMove(SAGA_TRANSITIONS, 'COMPENSATING', 'WAITING')).toBe(false);
    expect(canMove(SAGA_TRANSITIONS, 'STUCK', 'RUNNING')).toBe(true);
  });

  it('may turn back and end in one transaction', () => {
    expect(canMove(SAGA_TRANSITIONS, 'RUNNING', 'COMPENSATED')).toBe(true);
    expect(canMove(SAGA_TRANSITIONS, 'WAITING', 'COMPENSATED')).toBe(false);
  });
});
