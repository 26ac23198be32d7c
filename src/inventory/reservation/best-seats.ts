import type { StockLine } from '../stock/stock-line.js';

export interface Seat {
  readonly sku: string;
  /** Without a row and a number it is no seat but standing room: as many places as there are units. */
  readonly row: string | null;
  readonly number: number | null;
  readonly available: number;
}

export interface SeatWish {
  readonly quantity: number;
  /** Side by side or not at all; otherwise side by side if possible. */
  readonly mustBeAdjacent: boolean;
}

interface Place {
  readonly sku: string;
  readonly number: number;
}

interface Row {
  readonly centre: number;
  /** Places next to each other that are free, in order of their numbers. */
  readonly runs: readonly (readonly Place[])[];
}

interface Block {
  readonly places: readonly Place[];
  readonly row: number;
  readonly offCentre: number;
}

const byRowName = new Intl.Collator('en', { numeric: true });

/**
 * The best places that can be had, best first, at most `max` of them: side by side, in the first row that has room, as
 * near to the middle of the row as possible. Pure: it sees a picture of the seats, and the hold decides. What others take
 * meanwhile leaves the next best.
 */
export function bestSeats(seats: readonly Seat[], wish: SeatWish, max: number): readonly (readonly StockLine[])[] {
  const { quantity } = wish;
  const rows = rowsOf(seats);
  const together = blocksOf(rows, quantity)
    .slice(0, max)
    .map(({ places }) => places.map(toLine));
  const standing = seats.filter((seat) => !isSeat(seat) && seat.available >= quantity);
  const candidates: (readonly StockLine[])[] = [...together, ...standing.map(({ sku }) => [{ sku, quantity }])];
  if (!wish.mustBeAdjacent && candidates.length < max)
    candidates.push(...apart(seats, quantity, max - candidates.length));
  return candidates.slice(0, max);
}

/** Fewest pieces first come from the longest blocks; every further candidate does without the places of those before it. */
function apart(seats: readonly Seat[], quantity: number, max: number): (readonly StockLine[])[] {
  const candidates: (readonly StockLine[])[] = [];
  let left = seats;
  while (candidates.length < max) {
    const lines = pieces(left, quantity);
    if (!lines) return candidates;
    candidates.push(lines);
    left = without(left, lines);
  }
  return candidates;
}

function pieces(seats: readonly Seat[], quantity: number): readonly StockLine[] | undefined {
  const chosen: StockLine[] = [];
  let left = seats;
  let missing = quantity;
  for (let size = quantity; size > 0 && missing > 0; size = Math.min(size - 1, missing)) {
    for (let block = firstBlock(left, size); block && missing >= size; block = firstBlock(left, size)) {
      chosen.push(...block);
      left = without(left, block);
      missing -= size;
    }
  }
  for (const { sku, available } of left.filter((seat) => !isSeat(seat))) {
    const taken = Math.min(available, missing);
    if (taken > 0) chosen.push({ sku, quantity: taken });
    missing -= taken;
  }
  return missing === 0 ? chosen : undefined;
}

function firstBlock(seats: readonly Seat[], size: number): readonly StockLine[] | undefined {
  return blocksOf(rowsOf(seats), size)[0]?.places.map(toLine);
}

function without(seats: readonly Seat[], lines: readonly StockLine[]): readonly Seat[] {
  const taken = new Map(lines.map(({ sku, quantity }) => [sku, quantity]));
  return seats.map((seat) => {
    const quantity = taken.get(seat.sku);
    if (quantity === undefined) return seat;
    return { ...seat, available: isSeat(seat) ? 0 : seat.available - quantity };
  });
}

/** Every block of that many adjacent places, best first. */
function blocksOf(rows: readonly Row[], size: number): Block[] {
  const blocks: Block[] = [];
  rows.forEach(({ centre, runs }, row) => {
    for (const run of runs) {
      for (let start = 0; start + size <= run.length; start += 1) {
        const places = run.slice(start, start + size);
        const middle = ((places[0]?.number ?? 0) + (places.at(-1)?.number ?? 0)) / 2;
        blocks.push({ places, row, offCentre: Math.abs(middle - centre) });
      }
    }
  });
  return blocks.sort((a, b) => a.row - b.row || a.offCentre - b.offCentre);
}

function rowsOf(seats: readonly Seat[]): Row[] {
  const rows = new Map<string, (Seat & { number: number })[]>();
  for (const seat of seats) {
    if (!isSeat(seat)) continue;
    const row = rows.get(seat.row);
    if (row) row.push(seat);
    else rows.set(seat.row, [seat]);
  }
  return [...rows]
    .sort(([a], [b]) => byRowName.compare(a, b))
    .map(([, places]) => {
      const sorted = places.sort((a, b) => a.number - b.number);
      const centre = ((sorted[0]?.number ?? 0) + (sorted.at(-1)?.number ?? 0)) / 2;
      return { centre, runs: runsOf(sorted) };
    });
}

function runsOf(sorted: readonly (Seat & { number: number })[]): Place[][] {
  const runs: Place[][] = [];
  let run: Place[] = [];
  for (const { sku, number, available } of sorted) {
    if (available < 1) continue;
    if (run.at(-1)?.number !== number - 1) runs.push((run = []));
    run.push({ sku, number });
  }
  return runs;
}

function isSeat(seat: Seat): seat is Seat & { row: string; number: number } {
  return seat.row !== null && seat.number !== null;
}

function toLine({ sku }: Place): StockLine {
  return { sku, quantity: 1 };
}
