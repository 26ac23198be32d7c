import type { Sku } from '@checkout-saga/client';
import { type Line, quantityOf } from '../basket/basket-state.js';

export type SeatState = 'free' | 'yours' | 'held' | 'sold';

export interface Seat extends Sku {
  readonly row: string;
  readonly number: number;
}

export interface SeatRow {
  readonly name: string;
  readonly seats: readonly Seat[];
}

/** Front row first, each from its lowest number. */
export function rowsOf(skus: readonly Sku[]): readonly SeatRow[] {
  const seats = skus.filter((sku): sku is Seat => sku.row !== undefined && sku.number !== undefined);
  const names = [...new Set(seats.map(({ row }) => row))].sort();
  return names.map((name) => ({
    name,
    seats: seats.filter(({ row }) => row === name).sort((a, b) => a.number - b.number),
  }));
}

export function stateOf({ sku, onHand, available }: Sku, mine: readonly Line[]): SeatState {
  if (quantityOf(mine, sku) > 0) return 'yours';
  if (onHand === 0) return 'sold';
  return available > 0 ? 'free' : 'held';
}

/** Cheapest first. */
export function pricesOf(skus: readonly Sku[]): readonly number[] {
  return [...new Set(skus.map(({ unitAmount }) => unitAmount))].sort((a, b) => a - b);
}
