import { createStored } from '../../../common/stored.js';

const MAX_ORDERS = 100;

/** Ids of the orders of this browser, newest first. The client keeps the tokens that open them. */
export const orderHistory = createStored<readonly string[]>('shop:orders', []);

export function remember(orderId: string): void {
  const known = orderHistory.get();
  if (known[0] === orderId) return;
  orderHistory.set([orderId, ...known.filter((id) => id !== orderId)].slice(0, MAX_ORDERS));
}
