import { isTerminal, sourcesOf } from '../../common/state-machine.js';
import { effectiveState, RESERVATION_TRANSITIONS, ReservationState, totalOf } from './reservation.js';

describe('the states of a reservation', () => {
  it.each<[ReservationState, boolean]>([
    ['HELD', false],
    ['COMMITTED', true],
    ['RELEASED', true],
    ['EXPIRED', true],
  ])('%s is terminal: %p', (state, expected) => {
    expect(isTerminal(RESERVATION_TRANSITIONS, state)).toBe(expected);
    expect(sourcesOf(RESERVATION_TRANSITIONS, state)).toEqual(expected ? ['HELD'] : []);
  });

  it('shows what is overdue as expired, before it is swept', () => {
    expect(effectiveState({ state: 'HELD', isOverdue: true })).toBe('EXPIRED');
    expect(effectiveState({ state: 'COMMITTED', isOverdue: false })).toBe('COMMITTED');
  });

  it('adds up its lines', () => {
    const line = { sku: 'a', name: 'A', quantity: 10_000, unitAmount: 1_000_000_000 };
    const lines = Array.from({ length: 100 }, () => line);
    expect(totalOf({ lines })).toBe(1e15);
    expect(totalOf({ lines, terms: { discounts: [{ code: 'C', amount: 1 }], claims: [] } })).toBe(1e15 - 1);
  });
});
