import { addCounts, isQuiet, NO_COUNTS, quantileMs, sampleOf } from './instance-sample.js';

const counts = (values: Readonly<Record<number, number>>) => NO_COUNTS.map((_, index) => values[index] ?? 0);

describe('what an instance counted', () => {
  it('is the difference of two readings', () => {
    const before = { checkouts: { confirmed: 3 }, durations: counts({ 2: 3 }), lockWaits: counts({}), lockTimeouts: 1 };
    const now = {
      checkouts: { confirmed: 5, declined: 0, out_of_stock: 2 },
      durations: counts({ 2: 4, 5: 3 }),
      lockWaits: counts({ 0: 9 }),
      lockTimeouts: 1,
    };
    const sample = sampleOf(before, now, { inFlight: 2, breaker: 'closed' });
    expect(sample).toMatchObject({ checkouts: { confirmed: 2, out_of_stock: 2 }, lockTimeouts: 0, inFlight: 2 });
    expect(sample.durations).toEqual(counts({ 2: 1, 5: 3 }));
    expect(isQuiet(sample)).toBe(false);
    expect(isQuiet(sampleOf(now, now, { inFlight: 0, breaker: 'open' }))).toBe(true);
  });

  it('has quantiles that lie in the bucket of their rank', () => {
    expect(quantileMs(NO_COUNTS, 0.5)).toBeUndefined();
    // Half of it up to 5 ms (bucket 2), half of it up to 50 ms (bucket 5, from 25 ms on).
    const both = addCounts([counts({ 2: 50 }), counts({ 5: 50 })]);
    expect(quantileMs(both, 0.5)).toBe(5);
    expect(quantileMs(both, 0.75)).toBe(37.5);
    expect(quantileMs(both, 1)).toBe(50);
    expect(quantileMs(counts({ [NO_COUNTS.length - 1]: 1 }), 0.99)).toBe(30_000);
  });
});
