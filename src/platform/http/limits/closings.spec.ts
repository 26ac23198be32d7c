import { Closings, WINDOW_MS } from './window-counters.js';

describe('Closings', () => {
  const start = 1_000 * WINDOW_MS;

  it('lasts for the rest of the window and all of the next', () => {
    const closings = new Closings();
    expect([closings.isEmpty(start), closings.secondsClosed('a', start)]).toEqual([true, 0]);
    expect(closings.close('a', start + 20_000)).toBe(true);
    expect(closings.close('a', start + 20_000)).toBe(false);
    expect(closings.secondsClosed('a', start + 20_000)).toBe(100);
    expect(closings.secondsClosed('b', start + 20_000)).toBe(0);
    expect(closings.secondsClosed('a', start + WINDOW_MS)).toBe(60);
    expect(closings.secondsClosed('a', start + 2 * WINDOW_MS - 1)).toBe(1);
    expect(closings.secondsClosed('a', start + 2 * WINDOW_MS)).toBe(0);
    expect(closings.isEmpty(start + 2 * WINDOW_MS)).toBe(true);
  });

  it('forgets at once what is long over, and knows kinds by their beginning', () => {
    const closings = new Closings();
    closings.close('card:a', start);
    expect([closings.hasAny('card:'), closings.hasAny('address:')]).toEqual([true, false]);
    expect(closings.secondsClosed('card:a', start + 9 * WINDOW_MS)).toBe(0);
    expect(closings.hasAny('card:')).toBe(false);
  });
});
