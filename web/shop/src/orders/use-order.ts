import { type Answer, isProblem, type OrderUpdate, type Storefront } from '@checkout-saga/client';
import { type Followed, useFollowed } from '../../../common/use-followed.js';
import { useShop } from '../shop.js';

type Answered = Answer<'getOrder'>;
type Passing = 'rejection' | 'nextAction';
/** As it is answered; what passes may be undefined as well as absent. */
export type Order = Omit<Answered, Passing> & { readonly [K in Passing]?: Answered[K] | undefined };

/** An order as it changes. What its end means for the buyer's basket is settled on the way. */
export function useOrder(id: string): Followed<Order> {
  const { client, basket } = useShop();
  return useFollowed(`order ${id}`, async function* (signal) {
    for await (const order of followOrder(client, id, signal)) {
      await basket.payments.settle(order).catch(() => undefined); // asked again when the basket is used
      yield order;
    }
  });
}

async function* followOrder(client: Storefront, id: string, signal: AbortSignal): AsyncGenerator<Order> {
  for (;;) {
    const read: Answered = await client.getOrder(id, { signal });
    let order: Order = read;
    yield order;
    try {
      for await (const update of client.followOrder(read, { signal, until: 'ended', retryForMs: Infinity })) {
        order = update.event === 'order.state' ? withState(order, update.data) : await client.getOrder(id, { signal });
        yield order;
      }
      return;
    } catch (error) {
      const isLinkOver = isProblem(error) && error.status === 401; // it was valid for an hour
      if (!isLinkOver) throw error;
    }
  }
}

type StateUpdate = Extract<OrderUpdate, { event: 'order.state' }>['data'];

function withState(order: Order, { state, payment, rejection, nextAction }: StateUpdate): Order {
  const paid = order.payment && payment ? { ...order.payment, ...payment } : order.payment;
  return { ...order, state, payment: paid, rejection, nextAction };
}
