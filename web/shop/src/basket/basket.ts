import { type Answer, type Body, isProblem, type Storefront } from '@checkout-saga/client';
import {
  type BasketState,
  basketState,
  type Hold,
  type Line,
  linesOf,
  merged,
  toHold,
  withQuantity,
} from './basket-state.js';
import { Payments } from './payments.js';

type HoldRequest = Body<'createReservation'>;

/** What became of the buyer's wish to have something kept. */
export type HoldEnd = 'held' | 'expired' | 'bought';

/**
 * The buyer's basket. Before the checkout it is a list in this browser; from then on it is a reservation at the service, and
 * every change of it is a change there.
 */
export class Basket {
  readonly payments: Payments;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly client: Storefront) {
    this.payments = new Payments(client, this);
  }

  get state(): BasketState {
    return basketState.get();
  }

  change(change: Partial<BasketState>): void {
    basketState.set({ ...this.state, bought: undefined, ...change });
  }

  /** One after the other, so that two quick clicks cannot overtake each other. */
  setQuantity(sku: string, quantity: number): Promise<void> {
    return this.inTurn(async () => {
      const lines = withQuantity(linesOf(this.state), sku, quantity);
      const { hold } = this.state;
      if (!hold) this.change({ cart: lines });
      else if (lines.length === 0) await this.letGo({ isKept: false });
      else this.keep(await this.client.changeReservation(hold.id, { lines: [...lines] }), hold);
    });
  }

  /** Has the cart kept at the service: all of it or nothing. */
  hold(currency: string): Promise<Hold> {
    return this.inTurn(() => this.ask({ currency, lines: [...this.state.cart] }, { cart: [] }));
  }

  /** The best seats that can be had, and with them what is in the cart if that can be had too. */
  holdBest(currency: string, group: string, quantity: number): Promise<Hold> {
    return this.inTurn(async () => {
      const hold = await this.ask({ currency, bestAvailable: { group, quantity, adjacent: true } }, {});
      const { cart } = this.state;
      if (cart.length === 0) return hold;
      const lines = [...merged(hold.lines, cart)];
      const both = this.keep(await this.client.changeReservation(hold.id, { lines }), hold);
      this.change({ cart: [] });
      return both;
    });
  }

  /** What a queue has let this buyer have. The cart stays as it is. */
  holdFromSale(currency: string, line: Line, sale: { id: string; token: string }): Promise<Hold> {
    return this.inTurn(() => this.ask({ currency, lines: [line] }, {}, sale));
  }

  async extend(seconds: number): Promise<void> {
    const { hold } = this.state;
    if (hold) this.keep(await this.client.extendReservation(hold.id, { seconds }), hold);
  }

  /** Gives back what is held; it stays in the cart as a wish, unless it has to be queued for. */
  async letGo({ isKept = true } = {}): Promise<void> {
    const { hold } = this.state;
    if (!hold) return;
    await this.client.releaseReservation(hold.id);
    this.end(isKept);
  }

  /** Reads again what the service keeps: it may have ended, or been bought in another tab. */
  async refresh(): Promise<HoldEnd> {
    const { hold } = this.state;
    if (!hold) return 'expired';
    const reservation = await this.client.getReservation(hold.id).catch((error: unknown) => {
      if (isProblem(error) && error.status === 404) return undefined;
      throw error;
    });
    if (this.state.hold?.id !== hold.id) return 'expired';
    if (reservation?.state === 'HELD') {
      this.keep(reservation, this.state.hold);
      return 'held';
    }
    const wasBought = reservation?.state === 'COMMITTED';
    this.end(!wasBought);
    return wasBought ? 'bought' : 'expired';
  }

  /** After a reload: a hold that was asked for and whose answer nobody heard. */
  async recover(): Promise<void> {
    const { asking, hold } = this.state;
    if (asking !== undefined) await this.inTurn(() => this.resume(asking));
    else if (hold && hold.payment === undefined) await this.refresh();
  }

  /** The hold is over: what it held is a wish again, unless it had to be queued for. */
  end(isWishKept: boolean): void {
    const { hold, cart } = this.state;
    const wishes = isWishKept && hold?.saleId === undefined ? (hold?.lines ?? []) : [];
    basketState.set({ cart: merged(cart, wishes) });
  }

  /** The hold was bought. */
  complete(orderId: string): void {
    basketState.set({ cart: this.state.cart, bought: orderId });
  }

  private resume(intent: string): Promise<void> {
    const request = () => this.client.resume('createReservation', intent);
    return this.answerTo(intent, request, (reservation) => {
      if (!reservation) return;
      this.keep(reservation, {});
      this.change({ cart: [] });
    });
  }

  private ask(body: HoldRequest, then: Partial<BasketState>, sale?: { id: string; token: string }): Promise<Hold> {
    const intent = this.state.asking ?? `hold ${Date.now().toString(36)}`;
    this.change({ asking: intent });
    const request = () => this.client.createReservation(body, { intent, saleTicket: sale?.token });
    return this.answerTo(intent, request, (reservation) => {
      const hold = this.keep(reservation, sale ? { saleId: sale.id } : {});
      this.change(then);
      return hold;
    });
  }

  /** Without any answer something may be kept for us that we do not know of: the same intent then asks again. */
  private async answerTo<T, R>(intent: string, request: () => Promise<T>, onAnswer: (answer: T) => R): Promise<R> {
    try {
      const result = onAnswer(await request());
      await this.forget(intent);
      return result;
    } catch (error) {
      if (isProblem(error) && error.status < 500) await this.forget(intent);
      throw error;
    }
  }

  private async forget(intent: string): Promise<void> {
    this.change({ asking: undefined });
    await this.client.forget('createReservation', intent);
  }

  private keep(reservation: Answer<'getReservation'>, before: Pick<Hold, 'saleId' | 'payment'>): Hold {
    const hold = toHold(reservation, before);
    this.change({ hold });
    return hold;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.last.then(work);
    this.last = next.catch(() => undefined);
    return next;
  }
}
