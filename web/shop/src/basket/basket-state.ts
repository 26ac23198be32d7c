import type { Schemas } from '@checkout-saga/client';
import type { Observable } from '../../../common/observable.js';
import { createStored } from '../../../common/stored.js';

export interface Line {
  readonly sku: string;
  readonly quantity: number;
}

/** Stock that the service keeps for this buyer until `expiresAt`. */
export interface Hold {
  readonly id: string;
  readonly expiresAt: string;
  readonly currency: string;
  readonly total: number;
  readonly lines: readonly Schemas['Line'][];
  /** Of what a queue let the buyer have: it cannot go back into the cart. */
  readonly saleId?: string | undefined;
  /**
   * `sending`: a payment was sent, and its answer is not known yet. Otherwise the order that waits for its payment. Kept
   * before anything is sent: after a reload the shop asks what became of it, and does not pay again.
   */
  readonly payment?: 'sending' | { readonly orderId: string } | undefined;
}

export interface BasketState {
  /** What the buyer wants, and nobody keeps yet. */
  readonly cart: readonly Line[];
  readonly hold?: Hold | undefined;
  /** Names the hold that was asked for, until its answer is known. */
  readonly asking?: string | undefined;
  /** The order that the last hold became, until the buyer wants something else: a reload while it was paid ends there. */
  readonly bought?: string | undefined;
}

export const basketState: Observable<BasketState> = createStored<BasketState>('shop:basket', { cart: [] });

/** While it is being paid, and what a queue let one have, is not changed any more. */
export function isFixed({ payment, saleId }: Hold): boolean {
  return payment !== undefined || saleId !== undefined;
}

/** What is in the basket, kept for the buyer or not. */
export function linesOf({ cart, hold }: BasketState): readonly Line[] {
  return hold?.lines ?? cart;
}

export function unitsOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

export function quantityOf(lines: readonly Line[], sku: string): number {
  return lines.find((line) => line.sku === sku)?.quantity ?? 0;
}

/** In the order in which they came; a quantity of 0 takes a line out. */
export function withQuantity(lines: readonly Line[], sku: string, quantity: number): readonly Line[] {
  const isNew = lines.every((line) => line.sku !== sku);
  const all = isNew ? [...lines, { sku, quantity }] : lines;
  return all
    .map((line) => (line.sku === sku ? { sku, quantity } : { sku: line.sku, quantity: line.quantity }))
    .filter((line) => line.quantity > 0);
}

export function merged(lines: readonly Line[], more: readonly Line[]): readonly Line[] {
  return more.reduce((all, { sku, quantity }) => withQuantity(all, sku, quantityOf(all, sku) + quantity), lines);
}

export function toHold(
  reservation: Schemas['Reservation'],
  { saleId, payment }: Pick<Hold, 'saleId' | 'payment'>,
): Hold {
  const { id, expiresAt, currency, total, lines } = reservation;
  return { id, expiresAt, currency, total, lines, saleId, payment };
}
