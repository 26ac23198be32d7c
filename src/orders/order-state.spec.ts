import { canMove, isTerminal, sourcesOf } from '../common/state-machine.js';
import { reachableFrom } from '../../test/setup/state-machines.js';
import { ORDER_TRANSITIONS } from './order-state.js';

describe('the states of an order', () => {
  it('are all reachable from PENDING; REJECTED and CANCELLED are the ends', () => {
    expect(reachableFrom(ORDER_TRANSITIONS, 'PENDING')).toEqual(new Set(Object.keys(ORDER_TRANSITIONS)));
    const ends = (Object.keys(ORDER_TRANSITIONS) as (keyof typeof ORDER_TRANSITIONS)[]).filter((state) =>
      isTerminal(ORDER_TRANSITIONS, state),
    );
    expect(ends).toEqual(['REJECTED', 'CANCELLED']);
  });

  it('cancel only what was confirmed, and confirm only what is pending', () => {
    expect(sourcesOf(ORDER_TRANSITIONS, 'CANCELLED')).toEqual(['CONFIRMED']);
    expect(sourcesOf(ORDER_TRANSITIONS, 'CONFIRMED')).toEqual(['PENDING']);
    expect(canMove(ORDER_TRANSITIONS, 'REJECTED', 'CONFIRMED')).toBe(false);
  });
});
