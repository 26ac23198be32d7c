import type { Answer, Storefront } from '@checkout-saga/client';
import { createStored } from '../../../common/stored.js';
import { type Followed, useFollowed } from '../../../common/use-followed.js';
import { buyerEmail } from '../orders/buyer-email.js';
import { useShop } from '../shop.js';
import { guestAddress } from './guest.js';

export type Ticket = Answer<'getSaleTicket'>;
export type Sale = Answer<'openDemoDrop'>;

/** The buyer's place in the latest queue. Its token is all that it takes to buy. */
export interface Place {
  readonly saleId: string;
  readonly id: string;
  readonly token: string;
}

export const place = createStored<Place | null>('shop:ticket', null);

const LOOK_AGAIN_MS = 3_000;

export function useTicket(mine: Place | null): Followed<Ticket> {
  const { client } = useShop();
  return useFollowed(`ticket ${mine?.id ?? ''}`, (signal) => follow(client, mine, signal));
}

/** From its place in the queue to its end. Who was called is looked at again: the time runs, and something may come back. */
async function* follow(client: Storefront, mine: Place | null, signal: AbortSignal): AsyncGenerator<Ticket> {
  if (!mine) return;
  for (;;) {
    const ticket = await client.getSaleTicket(mine.saleId, mine.id, { saleTicket: mine.token, signal });
    yield ticket;
    if (ticket.state === 'EXPIRED') return;
    if (ticket.state === 'WAITING') {
      for await (const update of client.followSale(ticket, { signal, retryForMs: Infinity })) yield update;
    } else {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      if (signal.aborted) return;
    }
  }
}

/** Joins the queue, or gets the place that was given before an answer was lost. */
export async function join(client: Storefront, saleId: string): Promise<void> {
  const email = buyerEmail.get() || guestAddress();
  const { id, token } = await client.createSaleTicket(saleId, { customer: { email } }, { intent: `join ${saleId}` });
  place.set({ saleId, id, token });
}
