import { DependencyUnavailableError, OutOfStockError, ReservationExpiredError } from '@checkout-saga/client';
import { startCheckout } from '@checkout-saga/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';

const took = { start: 0, resets: [] };
let shop;

beforeAll(async () => {
  const startedAt = performance.now();
  shop = await startCheckout();
  took.start = Math.round(performance.now() - startedAt);
});

beforeEach(async () => {
  const startedAt = performance.now();
  await shop.reset();
  took.resets.push(Math.round(performance.now() - startedAt));
});

afterAll(async () => {
  await shop.stop();
  process.stdout.write(`testkit: start ${took.start} ms, resets ${took.resets.join(', ')} ms\n`);
});

const basket = (sku = 'demo-mug') => ({
  currency: 'EUR',
  lines: [{ sku, quantity: 1 }],
  payment: { method: 'pm_card_visa' },
});

test('sells the last one once, and has it again after a reset', async () => {
  expect((await shop.storefront.checkOut(basket('demo-last-one'))).state).toBe('CONFIRMED');
  await expect(shop.storefront.checkOut(basket('demo-last-one'))).rejects.toBeInstanceOf(OutOfStockError);
  await shop.reset();
  expect((await shop.storefront.getSku('demo-last-one')).available).toBe(1);
  expect((await shop.admin.listOrders()).items).toEqual([]);
});

test('a hold that has expired cannot be bought, and is free for others', async () => {
  const hold = await shop.storefront.createReservation({
    currency: 'EUR',
    lines: [{ sku: 'demo-last-one', quantity: 1 }],
  });
  await shop.expireHold(hold.id);
  const { payment } = basket();
  const late = shop.storefront.checkOut(
    { currency: 'EUR', reservationId: hold.id, payment },
    { accessToken: hold.accessToken },
  );
  await expect(late).rejects.toBeInstanceOf(ReservationExpiredError);
  expect((await shop.storefront.checkOut(basket('demo-last-one'))).state).toBe('CONFIRMED');
});

test('an outage of the payment provider rejects orders, charges nobody, and passes', async () => {
  await shop.faults.outage();
  const refused = await shop.storefront.checkOut(basket()).catch((error) => error);
  expect(refused).toBeInstanceOf(DependencyUnavailableError);
  const { orderId } = refused.problem;
  expect((await shop.admin.getOrder(orderId)).state).toBe('REJECTED');
  expect((await shop.admin.listSandboxCharges({ orderId })).items).toEqual([]);
  await shop.faults.clear();
  expect((await shop.storefront.checkOut(basket())).state).toBe('CONFIRMED');
});

test('what the provider does wrong follows the script: a lost answer is charged once, then a card is declined', async () => {
  await shop.faults.next({ operation: 'charge', effect: 'error-after' }, { operation: 'charge', effect: 'decline' });
  const order = await shop.storefront.checkOut(basket());
  expect(order.state).toBe('CONFIRMED');
  const { items } = await shop.admin.listSandboxCharges({ orderId: order.id });
  expect(items.map(({ state, amount }) => [state, amount])).toEqual([['CAPTURED', order.total]]);
  await expect(shop.storefront.checkOut(basket())).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
  expect(await shop.faults.left()).toEqual([]);
});

test('the shop hears of an order by webhook', async () => {
  const order = await shop.storefront.checkOut(basket());
  const event = await shop.deliveredEvent(({ type, subject }) => type === 'order.confirmed' && subject === order.id);
  expect(event.data).toMatchObject({ orderId: order.id, total: 1250 });
  expect(shop.deliveredEvents().map(({ type }) => type)).toEqual(['payment.captured', 'order.confirmed']);
  expect((await shop.admin.checkInvariants()).ok).toBe(true);
});
