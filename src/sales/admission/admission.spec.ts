import fc from 'fast-check';
import { advance, type Pace } from './admission.js';

const START = Date.parse('2026-11-15T12:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1_000);
const sale = (overrides: Partial<Pace> = {}): Pace => ({
  startsAt: at(0),
  advancedAt: null,
  admitPerSecond: 10,
  maxActive: 1_000,
  issued: 10_000,
  admitted: 0,
  pausedAt: null,
  ...overrides,
});

/** Plays rounds at those times; everybody who is called stays active unless `leave` says so. */
function play(start: Pace, times: readonly number[], leave = (active: number) => active): Pace & { active: number } {
  let state = { ...start, active: 0 };
  for (const time of times) {
    const active = leave(state.active);
    const { granted, advancedAt } = advance(state, active, at(time));
    state = { ...state, admitted: state.admitted + granted, advancedAt, active: active + granted };
  }
  return state;
}

describe('admission', () => {
  it('keeps the rate, also a slow one and whatever the rounds', () => {
    expect(play(sale(), [1, 2, 3]).admitted).toBe(30);
    expect(play(sale(), [0.3, 0.7, 1.9, 2.2, 3]).admitted).toBe(30);
    expect(play(sale({ admitPerSecond: 0.4 }), [1, 2, 3, 4, 5]).admitted).toBe(2);
  });

  it('calls nobody before the start, while it is paused, or beyond who may be inside', () => {
    expect(play(sale(), [-5, -1, 0]).admitted).toBe(0);
    expect(play(sale({ pausedAt: at(0) }), [1, 2]).admitted).toBe(0);
    expect(play(sale({ maxActive: 7 }), [1, 2, 3]).admitted).toBe(7);
    expect(play(sale({ maxActive: 7 }), [1, 2], () => 0).admitted).toBe(14);
    expect(play(sale({ issued: 3 }), [1, 2, 3]).admitted).toBe(3);
  });

  it('saves nothing up while nobody waits', () => {
    const idle = play(sale({ issued: 0 }), [1, 60, 600]);
    expect(play({ ...idle, issued: 5_000 }, [601]).admitted).toBe(10);
  });

  it('never exceeds the rate by more than the arrears of one round, nor the room, nor the queue', () => {
    const rounds = fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 30 });
    const terms = fc.record({
      admitPerSecond: fc.double({ min: 0.1, max: 500, noNaN: true }),
      maxActive: fc.integer({ min: 1, max: 300 }),
      issued: fc.integer({ min: 0, max: 5_000 }),
    });
    fc.assert(
      fc.property(terms, rounds, (given, pauses) => {
        let now = 0;
        const times = pauses.map((ms) => (now += ms / 1_000));
        const end = play(sale(given), times);
        expect(end.admitted).toBeLessThanOrEqual(now * given.admitPerSecond + 1e-6);
        expect(end.active).toBeLessThanOrEqual(given.maxActive);
        expect(end.admitted).toBeLessThanOrEqual(given.issued);
      }),
    );
  });
});
