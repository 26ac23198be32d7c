import { createStorefront, isProblem, type Storefront } from '@checkout-saga/client';
import { createObservable } from '../../../common/observable.js';
import { guestAddress } from './guest.js';

/** Other people, played by this page: they join the queue, wait for their turn, and most of them buy. */
export const crowd = createObservable({ joined: 0, bought: 0 });

const BUYERS_OF_TEN = 8;

interface Wanted {
  readonly saleId: string;
  readonly sku: string;
  readonly currency: string;
}

export async function inviteCrowd(apiKey: string, wanted: Wanted, people: number): Promise<void> {
  crowd.set({ joined: 0, bought: 0 });
  // Each with a client of its own, and no storage: they are not this buyer.
  const shoppers = Array.from({ length: people }, () => createStorefront({ url: location.origin, apiKey }));
  await Promise.all(shoppers.map((shopper, index) => visit(shopper, wanted, index).catch(leave)));
}

async function visit(shopper: Storefront, { saleId, sku, currency }: Wanted, index: number): Promise<void> {
  await pause(index * 80);
  const { id, token } = await shopper.createSaleTicket(saleId, { customer: { email: guestAddress() } });
  count({ joined: 1 });
  if (!(await isCalled(shopper, saleId, id, token))) return;
  await pause(800 + Math.random() * 2_000); // looks at it
  const hold = await shopper.createReservation({ currency, lines: [{ sku, quantity: 1 }] }, { saleTicket: token });
  await pause(500 + Math.random() * 1_000); // finds the card
  if (index % 10 >= BUYERS_OF_TEN) {
    await shopper.releaseReservation(hold.id, { accessToken: hold.accessToken });
    return;
  }
  const payment = { method: 'pm_card_visa' };
  await shopper.checkOut({ currency, reservationId: hold.id, payment }, { accessToken: hold.accessToken });
  count({ bought: 1 });
}

/** Asks, as seldom as the service wants it: thirty open streams would leave this page no connection for itself. */
async function isCalled(shopper: Storefront, saleId: string, id: string, saleTicket: string): Promise<boolean> {
  for (;;) {
    let seconds = 2;
    const onResponse = ({ headers }: Response) => (seconds = Number(headers.get('retry-after') ?? seconds));
    const { state } = await shopper.getSaleTicket(saleId, id, { saleTicket, onResponse });
    if (state !== 'WAITING') return state === 'ADMITTED';
    await pause(Math.max(1, seconds) * 1_000 + Math.random() * 500);
  }
}

function count({ joined = 0, bought = 0 }: { joined?: number; bought?: number }): void {
  const before = crowd.get();
  crowd.set({ joined: before.joined + joined, bought: before.bought + bought });
}

/** Sold out, too late, or out of patience: people leave. */
function leave(error: unknown): void {
  if (!isProblem(error)) throw error;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
