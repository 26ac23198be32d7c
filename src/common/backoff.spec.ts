import fc from 'fast-check';
import { backoffMs, sleep } from './backoff.js';

describe('backoffMs', () => {
  it('doubles up to the cap, and keeps at least half of it', () => {
    const policy = { baseMs: 100, capMs: 1_000 };
    const ceilings = [1, 2, 3, 4, 5, 60].map((attempt) => backoffMs(policy, attempt, () => 1));
    expect(ceilings).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    expect(backoffMs(policy, 3, () => 0)).toBe(200);
  });

  it('is positive and never above the cap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 1, max: 1_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (baseMs, capMs, attempt, random) => {
          const ms = backoffMs({ baseMs, capMs }, attempt, () => random);
          expect(ms).toBeGreaterThanOrEqual(1);
          expect(ms).toBeLessThanOrEqual(Math.max(1, capMs));
        },
      ),
    );
  });
});

describe('sleep', () => {
  it('ends with the signal, also with one that came before', async () => {
    const controller = new AbortController();
    const sleeping = sleep(60_000, controller.signal);
    controller.abort();
    await sleeping;
    await sleep(60_000, controller.signal);
  });
});
