import { smallest } from '../../../../test/setup/timing.js';
import { WINDOW_MS, WindowCounters } from './window-counters.js';

describe('WindowCounters', () => {
  const start = 1_000 * WINDOW_MS;

  it('counts by window, and remembers the one before', () => {
    const counters = new WindowCounters();
    expect([1, 1, 3].map((amount) => counters.add('a', amount, start))).toEqual([1, 2, 5]);
    expect(counters.add('b', 1, start)).toBe(1);
    expect(counters.read('a', start + WINDOW_MS - 1)).toEqual({ current: 5, previous: 0 });
    expect(counters.add('a', 1, start + WINDOW_MS)).toBe(1);
    expect(counters.read('a', start + WINDOW_MS)).toEqual({ current: 1, previous: 5 });
    expect(counters.read('a', start + 2 * WINDOW_MS)).toEqual({ current: 0, previous: 1 });
    expect(counters.read('a', start + 9 * WINDOW_MS)).toEqual({ current: 0, previous: 0 });
  });

  it('stays within its bounds: strangers beyond them are not counted, acquaintances are', () => {
    const counters = new WindowCounters();
    for (let index = 0; index < 50_000; index += 1) counters.add(`bucket-${index}`, 1, start);
    expect(counters.add('one-too-many', 1, start)).toBe(0);
    expect(counters.add('bucket-7', 1, start)).toBe(2);
    expect(counters.add('one-too-many', 1, start + WINDOW_MS)).toBe(1);
  });

  it('costs next to nothing', async () => {
    const counters = new WindowCounters();
    // Some 100 ns each; the bound only tells a map from a mistake.
    const measure = () => {
      const began = performance.now();
      for (let index = 0; index < 100_000; index += 1) counters.add('a', 1);
      return Promise.resolve(performance.now() - began);
    };
    expect(await smallest(1_000, measure)).toBeLessThan(1_000);
  });
});
