import { type Answer, isProblem, type ProblemError, type Storefront } from '@checkout-saga/client';
import { createObservable } from '../../../common/observable.js';
import { remember } from '../orders/order-history.js';
import type { Basket } from './basket.js';
import type { Hold } from './basket-state.js';

type Order = Answer<'getOrder'>;

/** A card that takes longer is followed on the order's own page. */
const WAIT = 'wait=6';

/** Pays for what is held: once, however often it is asked for and whatever breaks in between. */
export class Payments {
  /** Whether a buyer waits for the answer to a click on this page. */
  readonly isPaying = createObservable(false);
  private underWay: Promise<Order> | undefined;

  constructor(
    private readonly client: Storefront,
    private readonly basket: Basket,
  ) {}

  /** The order, paid or waiting for its payment. Rejects with the refusal; the hold is then free for another card. */
  pay(hold: Hold, method: string, email: string): Promise<Order> {
    this.isPaying.set(true);
    const paid = this.send(hold, () =>
      this.client.checkOut(
        {
          currency: hold.currency,
          reservationId: hold.id,
          customer: email === '' ? {} : { email },
          payment: { method },
          expectedTotal: hold.total,
          returnUrl: `${location.origin}/shop/paid`,
        },
        { intent: intentOf(hold), prefer: WAIT },
      ),
    );
    return paid.finally(() => this.isPaying.set(false));
  }

  /** What became of a payment whose answer nobody heard; undefined if none was sent. */
  resume(hold: Hold): Promise<Order | undefined> {
    return this.send(hold, () => this.client.resume('checkOut', intentOf(hold), { prefer: WAIT }));
  }

  /** An order as it is now: once it has an end, so has the hold, or the hold is free for another card. */
  async settle(order: Pick<Order, 'id' | 'state'>): Promise<void> {
    const { hold } = this.basket.state;
    const isOurs = typeof hold?.payment === 'object' && hold.payment.orderId === order.id;
    if (!isOurs || order.state === 'PENDING') return;
    await this.client.forget('checkOut', intentOf(hold));
    if (order.state === 'CONFIRMED') this.basket.complete(order.id);
    else {
      this.free(hold);
      await this.basket.refresh();
    }
  }

  private send<T extends Order | undefined>(hold: Hold, ask: () => Promise<T>): Promise<T> {
    if (this.underWay) return this.underWay as Promise<T>;
    this.basket.change({ hold: { ...hold, payment: 'sending' } });
    const asked = this.conclude(hold, ask).finally(() => (this.underWay = undefined));
    this.underWay = asked as Promise<Order>;
    return asked;
  }

  private async conclude<T extends Order | undefined>(hold: Hold, ask: () => Promise<T>): Promise<T> {
    try {
      const order = await ask();
      if (order) await this.accept(hold, order);
      else this.free(hold);
      return order;
    } catch (error) {
      if (isProblem(error)) this.refuse(hold, error);
      throw error;
    }
  }

  private async accept(hold: Hold, order: Order): Promise<void> {
    remember(order.id);
    this.basket.change({ hold: { ...hold, payment: { orderId: order.id } } });
    await this.settle(order);
  }

  /** What is no definite refusal may have been paid: it stays `sending`, and is asked for again. */
  private refuse(hold: Hold, { status, problem }: ProblemError): void {
    const { orderId } = problem as { orderId?: string };
    if (orderId !== undefined) remember(orderId);
    if (status < 500 || orderId !== undefined) this.free(hold);
  }

  private free(hold: Hold): void {
    this.basket.change({ hold: { ...hold, payment: undefined } });
  }
}

/** One hold is bought once. After a definite refusal the client makes a new key for the same name. */
function intentOf({ id }: Hold): string {
  return `pay ${id}`;
}
