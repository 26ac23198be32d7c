import fc from 'fast-check';
import { addUp, allocate, type AllocationRequest, draw, type DrawRequest, type Quantities } from './allocation.js';

const keys = ['a', 'b', 'c', 'd'] as const;
const wanted = fc
  .array(fc.tuple(fc.constantFrom(...keys, 'unknown'), fc.integer({ min: 1, max: 6 })), { minLength: 1, maxLength: 4 })
  .map((wishes) => addUp(wishes));
const requests: fc.Arbitrary<AllocationRequest[]> = fc.array(
  fc.record({ alternatives: fc.array(wanted, { minLength: 1, maxLength: 3 }) }),
  { maxLength: 20 },
);
const balances: fc.Arbitrary<Map<string, number>> = fc
  .tuple(...keys.map(() => fc.integer({ min: 0, max: 20 })))
  .map((units) => new Map<string, number>(keys.map((key, index) => [key, units[index] ?? 0])));

function take(left: Map<string, number>, quantities: Quantities): void {
  for (const [key, quantity] of quantities) left.set(key, (left.get(key) ?? 0) - quantity);
}

describe('allocate', () => {
  it('never gives away more than there is', () => {
    fc.assert(
      fc.property(balances, requests, (available, asked) => {
        const left = new Map(available);
        allocate(available, asked).forEach((verdict, index) => {
          if (verdict.kind === 'granted') take(left, asked[index]!.alternatives[verdict.alternative]!);
        });
        expect([...left.values()].every((units) => units >= 0)).toBe(true);
      }),
    );
  });

  it('refuses nobody who could have been served in turn, and names what really is short', () => {
    fc.assert(
      fc.property(balances, requests, (available, asked) => {
        const left = new Map(available);
        allocate(available, asked).forEach((verdict, index) => {
          const { alternatives } = asked[index]!;
          const fits = alternatives.findIndex((alternative) => {
            const after = new Map(left);
            take(after, alternative);
            return [...after.values()].every((units) => units >= 0);
          });
          if (verdict.kind === 'granted') {
            expect(verdict.alternative).toBe(fits);
            take(left, alternatives[verdict.alternative]!);
          } else {
            expect(fits).toBe(-1);
            expect(verdict.shortages.length).toBeGreaterThan(0);
            for (const { key, requested, available: units } of verdict.shortages) {
              expect(units).toBe(left.get(key) ?? 0);
              expect(requested).toBeGreaterThan(units);
            }
          }
        });
      }),
    );
  });

  it('decides the same for a batch as for one request after the other', () => {
    fc.assert(
      fc.property(balances, requests, (available, asked) => {
        const left = new Map(available);
        const oneByOne = asked.flatMap((request) => {
          const verdicts = allocate(left, [request]);
          for (const verdict of verdicts)
            if (verdict.kind === 'granted') take(left, request.alternatives[verdict.alternative]!);
          return verdicts;
        });
        expect(allocate(available, asked)).toEqual(oneByOne);
      }),
    );
  });

  it('does not change what it was given', () => {
    const available = new Map([['a', 2]]);
    allocate(available, [{ alternatives: [new Map([['a', 2]])] }]);
    expect(available.get('a')).toBe(2);
  });

  it('measures two wishes for one balance together', () => {
    const twice = addUp([
      ['a', 2],
      ['a', 2],
    ]);
    expect(allocate(new Map([['a', 3]]), [{ alternatives: [twice] }])).toEqual([
      { kind: 'short', shortages: [{ key: 'a', requested: 4, available: 3 }] },
    ]);
  });

  it('names every short balance of the alternative that came closest', () => {
    const far = new Map([['a', 9]]);
    const close = new Map([
      ['b', 3],
      ['c', 1],
      ['d', 1],
    ]);
    const available = new Map([
      ['a', 1],
      ['b', 2],
      ['d', 1],
    ]);
    expect(allocate(available, [{ alternatives: [far, close] }])).toEqual([
      {
        kind: 'short',
        shortages: [
          { key: 'b', requested: 3, available: 2 },
          { key: 'c', requested: 1, available: 0 },
        ],
      },
    ]);
  });
});

const draws: fc.Arbitrary<DrawRequest[]> = fc.array(
  fc.record({
    amount: fc.integer({ min: 0, max: 30 }),
    keys: fc.uniqueArray(fc.constantFrom(...keys, 'unknown'), { minLength: 1, maxLength: 3 }),
    isWhole: fc.boolean(),
  }),
  { maxLength: 20 },
);

describe('draw', () => {
  it('never draws more than there is, nor more than was asked for', () => {
    fc.assert(
      fc.property(balances, draws, (available, asked) => {
        const left = new Map(available);
        draw(available, asked).forEach((drawn, index) => {
          const request = asked[index]!;
          const parts = drawn ?? [];
          expect(parts.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(request.amount);
          parts.forEach((part, at) => take(left, new Map([[request.keys[at]!, part]])));
        });
        expect([...left.values()].every((units) => units >= 0)).toBe(true);
      }),
    );
  });

  it('draws all that can be had, the first of the keys first, and nothing where the whole cannot be had', () => {
    fc.assert(
      fc.property(balances, draws, (available, asked) => {
        const left = new Map(available);
        draw(available, asked).forEach((drawn, index) => {
          const { amount, keys: from, isWhole } = asked[index]!;
          const there = from.reduce((sum, key) => sum + (left.get(key) ?? 0), 0);
          if (!drawn) {
            expect(isWhole && there < amount).toBe(true);
            return;
          }
          expect(drawn.reduce((sum, part) => sum + part, 0)).toBe(Math.min(amount, there));
          // A later key is touched only when the earlier ones are empty.
          drawn.forEach((part, at) => {
            if (part > 0) from.slice(0, at).forEach((key, before) => expect(drawn[before]).toBe(left.get(key) ?? 0));
          });
          drawn.forEach((part, at) => take(left, new Map([[from[at]!, part]])));
        });
      }),
    );
  });

  it('decides the same for a batch as for one request after the other', () => {
    fc.assert(
      fc.property(balances, draws, (available, asked) => {
        const left = new Map(available);
        const oneByOne = asked.flatMap((request) => {
          const answers = draw(left, [request]);
          answers[0]?.forEach((part, at) => take(left, new Map([[request.keys[at]!, part]])));
          return answers;
        });
        expect(draw(available, asked)).toEqual(oneByOne);
      }),
    );
  });
});
