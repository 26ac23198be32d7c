import fc from 'fast-check';
import { bestSeats, type Seat, type SeatWish } from './best-seats.js';

const seat = (row: string, number: number, available = 1): Seat => ({ sku: `${row}${number}`, row, number, available });
const rowOf = (row: string, length: number, taken: readonly number[] = []) =>
  Array.from({ length }, (_, index) => seat(row, index + 1, taken.includes(index + 1) ? 0 : 1));
const names = (seats: readonly Seat[], quantity: number, mustBeAdjacent = false, max = 1) =>
  bestSeats(seats, { quantity, mustBeAdjacent }, max).map((lines) => lines.map(({ sku }) => sku).join(' '));

describe('the best seats', () => {
  it('are in the first row, in its middle', () => {
    expect(names([...rowOf('B', 9), ...rowOf('A', 9)], 3)).toEqual(['A4 A5 A6']);
    expect(names([...rowOf('10', 3), ...rowOf('9', 3)], 1)).toEqual(['92']);
    expect(names(rowOf('A', 5), 1, true, 9)).toEqual(['A3', 'A2', 'A4', 'A1', 'A5']);
  });

  it('are side by side in a later row rather than apart in an earlier one', () => {
    const seats = [...rowOf('A', 5, [2, 4]), ...rowOf('B', 5, [3])];
    expect(names(seats, 2, false, 2)).toEqual(['B1 B2', 'B4 B5']);
    expect(names(seats, 3, true)).toEqual([]);
    expect(names(seats, 3)).toEqual(['B1 B2 A3']);
  });

  it('are standing room where nothing else is left', () => {
    const floor = { sku: 'floor', row: null, number: null, available: 5 };
    expect(bestSeats([...rowOf('A', 2, [1]), floor], { quantity: 4, mustBeAdjacent: true }, 3)).toEqual([
      [{ sku: 'floor', quantity: 4 }],
    ]);
    expect(bestSeats([...rowOf('A', 1), floor], { quantity: 6, mustBeAdjacent: false }, 1)).toEqual([
      [
        { sku: 'A1', quantity: 1 },
        { sku: 'floor', quantity: 5 },
      ],
    ]);
  });

  const hall = fc
    .uniqueArray(fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.integer({ min: 1, max: 12 })), {
      selector: ([row, number]) => `${row}${number}`,
      maxLength: 36,
    })
    .chain((places) =>
      fc
        .array(fc.integer({ min: 0, max: 1 }), { minLength: places.length, maxLength: places.length })
        .map((free) => places.map(([row, number], index) => seat(row, number, free[index]))),
    );
  const wish = fc.record<SeatWish>({ quantity: fc.integer({ min: 1, max: 6 }), mustBeAdjacent: fc.boolean() });

  it('are free, distinct, as many as asked for, and side by side where they must be', () => {
    fc.assert(
      fc.property(hall, wish, fc.integer({ min: 1, max: 20 }), (seats, wanted, max) => {
        const bySku = new Map(seats.map((one) => [one.sku, one]));
        const candidates = bestSeats(seats, wanted, max);
        expect(candidates.length).toBeLessThanOrEqual(max);
        for (const lines of candidates) {
          const places = lines.map(({ sku }) => bySku.get(sku)!);
          expect(new Set(places).size).toBe(wanted.quantity);
          expect(places.every(({ available }) => available === 1)).toBe(true);
          if (wanted.mustBeAdjacent) expect(isTogether(places)).toBe(true);
        }
      }),
    );
  });

  it('are found whenever there are any, and in the same order for everybody', () => {
    fc.assert(
      fc.property(hall, wish, (seats, wanted) => {
        const free = seats.filter(({ available }) => available > 0);
        const found = bestSeats(seats, wanted, 1);
        expect(bestSeats(seats.toReversed(), wanted, 1)).toEqual(found);
        if (!wanted.mustBeAdjacent) expect(found.length).toBe(free.length >= wanted.quantity ? 1 : 0);
        const isRoom = free.some((first) =>
          Array.from({ length: wanted.quantity }, (_, index) => first.number! + index).every((number) =>
            free.some((other) => other.row === first.row && other.number === number),
          ),
        );
        if (wanted.mustBeAdjacent) expect(found.length > 0).toBe(isRoom);
        else if (isRoom)
          expect(isTogether(found[0]!.map(({ sku }) => free.find((one) => one.sku === sku)!))).toBe(true);
      }),
    );
  });
});

function isTogether(places: readonly Seat[]): boolean {
  const numbers = places.map(({ number }) => number!).sort((a, b) => a - b);
  const isOneRow = new Set(places.map(({ row }) => row)).size === 1;
  return isOneRow && numbers.every((number, index) => number === numbers[0]! + index);
}
