import fc from 'fast-check';
import { allocate, StockRequest } from './stock-allocation.js';

const skus = ['a', 'b', 'c', 'd'] as const;
const lines = fc.array(
  fc.record({ sku: fc.constantFrom(...skus, 'unknown'), quantity: fc.integer({ min: 1, max: 6 }) }),
  { minLength: 1, maxLength: 4 },
);
const requests = fc.array(fc.record({ alternatives: fc.array(lines, { minLength: 1, maxLength: 3 }) }), {
  maxLength: 20,
});
const stock = fc
  .tuple(...skus.map(() => fc.integer({ min: 0, max: 20 })))
  .map((units) => new Map<string, number>(skus.map((sku, index) => [sku, units[index] ?? 0])));

function take(left: Map<string, number>, request: StockRequest, alternative: number): void {
  for (const { sku, quantity } of request.alternatives[alternative] ?? []) {
    left.set(sku, (left.get(sku) ?? 0) - quantity);
  }
}

describe('allocate', () => {
  it('never gives away more than there is', () => {
    fc.assert(
      fc.property(stock, requests, (available, asked) => {
        const left = new Map(available);
        allocate(available, asked).forEach((verdict, index) => {
          if (verdict.kind === 'granted') take(left, asked[index]!, verdict.alternative);
        });
        expect([...left.values()].every((units) => units >= 0)).toBe(true);
      }),
    );
  });

  it('refuses nobody who could have been served in turn, and names what really is short', () => {
    fc.assert(
      fc.property(stock, requests, (available, asked) => {
        const left = new Map(available);
        allocate(available, asked).forEach((verdict, index) => {
          const request = asked[index]!;
          const fits = request.alternatives.findIndex((_, alternative) => {
            const after = new Map(left);
            take(after, request, alternative);
            return [...after.values()].every((units) => units >= 0);
          });
          if (verdict.kind === 'granted') {
            expect(verdict.alternative).toBe(fits);
            take(left, request, verdict.alternative);
          } else {
            expect(fits).toBe(-1);
            expect(verdict.shortages.length).toBeGreaterThan(0);
            for (const { sku, requested, available: units } of verdict.shortages) {
              expect(units).toBe(left.get(sku) ?? 0);
              expect(requested).toBeGreaterThan(units);
            }
          }
        });
      }),
    );
  });

  it('decides the same for a batch as for one request after the other', () => {
    fc.assert(
      fc.property(stock, requests, (available, asked) => {
        const left = new Map(available);
        const oneByOne = asked.flatMap((request) => {
          const verdicts = allocate(left, [request]);
          for (const verdict of verdicts) if (verdict.kind === 'granted') take(left, request, verdict.alternative);
          return verdicts;
        });
        expect(allocate(available, asked)).toEqual(oneByOne);
      }),
    );
  });

  it('does not change what it was given', () => {
    const available = new Map([['a', 2]]);
    allocate(available, [{ alternatives: [[{ sku: 'a', quantity: 2 }]] }]);
    expect(available.get('a')).toBe(2);
  });

  it('measures two lines of one SKU together', () => {
    const twice = [
      { sku: 'a', quantity: 2 },
      { sku: 'a', quantity: 2 },
    ];
    expect(allocate(new Map([['a', 3]]), [{ alternatives: [twice] }])).toEqual([
      { kind: 'short', shortages: [{ sku: 'a', requested: 4, available: 3 }] },
    ]);
  });

  it('names every short SKU of the alternative that came closest', () => {
    const far = [{ sku: 'a', quantity: 9 }];
    const near = [
      { sku: 'b', quantity: 2 },
      { sku: 'c', quantity: 1 },
    ];
    const available = new Map([
      ['a', 1],
      ['b', 1],
    ]);
    expect(allocate(available, [{ alternatives: [far, near] }])).toEqual([
      {
        kind: 'short',
        shortages: [
          { sku: 'b', requested: 2, available: 1 },
          { sku: 'c', requested: 1, available: 0 },
        ],
      },
    ]);
  });
});
