import { assertMove, guardOf, IllegalMoveError, type Transitions } from './state-machine.js';

type Door = 'OPEN' | 'SHUT' | 'LOCKED' | 'GONE';
const DOOR: Transitions<Door> = { OPEN: ['SHUT'], SHUT: ['OPEN', 'LOCKED'], LOCKED: ['SHUT'], GONE: [] };

describe('a transition table', () => {
  it('refuses a move that it does not have, and lets a state stay', () => {
    expect(() => assertMove(DOOR, 'OPEN', 'SHUT')).not.toThrow();
    expect(() => assertMove(DOOR, 'OPEN', 'OPEN')).not.toThrow();
    expect(() => assertMove(DOOR, 'OPEN', 'LOCKED')).toThrow(IllegalMoveError);
    expect(() => assertMove(DOOR, 'GONE', 'OPEN')).toThrow('from GONE to OPEN');
  });

  it('says where a guarded UPDATE may come from, and refuses one that could never land', () => {
    expect(guardOf(DOOR, 'SHUT')).toEqual(['OPEN', 'LOCKED']);
    expect(guardOf(DOOR, 'SHUT', ['LOCKED'])).toEqual(['OPEN']);
    expect(() => guardOf(DOOR, 'GONE')).toThrow(IllegalMoveError);
  });
});
