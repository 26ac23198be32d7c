import type { Page } from 'playwright-core';
import { eventually } from '../setup/eventually.js';
import { chargesOf, expectSound, ledgerOf, orderOf } from '../setup/shop.js';
import { addToCart, checkOut, Lantern, orderShown, payWith } from './lantern.js';

const YOURS = 'It’s yours.';

describe('paying in the shop', () => {
  let shop: Lantern;
  beforeAll(async () => {
    shop = await Lantern.open({ GATEWAY_TIMEOUT_MS: '1500' });
  }, 300_000);
  afterAll(() => shop?.close());
  afterEach(async () => {
    await expectSound(shop.test.api);
  });

  const toCheckout = async () => {
    const visitor = await shop.visit();
    await addToCart(visitor.page, 'Mug');
    await checkOut(visitor.page);
    return visitor;
  };
  const countOrders = async () =>
    (await shop.test.database.query<{ count: number }>('SELECT count(*)::int AS count FROM orders'))[0]!.count;
  /** All orders since, and that each of them was charged as often as it should be. */
  const expectOneOrder = async (id: string, before: number) => {
    expect(await countOrders()).toBe(before + 1);
    expect(await chargesOf(shop.test.database, id)).toEqual({ charges: 1, net: 1_250 });
  };

  it('goes to the bank’s page for 3-D Secure, and comes back with the order', async () => {
    const { page } = await toCheckout();
    await payWith(page, '3-D Secure');
    await page.getByRole('button', { name: 'Approve' }).click();
    const id = await orderShown(page, YOURS);
    expect(await ledgerOf(shop.test.api, id)).toMatchObject([{ state: 'CAPTURED' }]);
    expect(await shop.complaints()).toEqual([]);
  });

  it('says no at the bank, and pays for the same hold with another card', async () => {
    const { page } = await toCheckout();
    await payWith(page, '3-D Secure');
    await page.getByRole('button', { name: 'Decline' }).click();
    await orderShown(page, 'Not bought.');
    await page.getByText('The bank did not get your approval. Nothing was charged.').waitFor();
    await page.getByRole('link', { name: 'Try another card' }).click();
    await payWith(page, 'Visa');
    await orderShown(page, YOURS);
    expect(await shop.complaints()).toEqual([]);
  });

  it('gives up at the bank, and has the hold back', async () => {
    const { page } = await toCheckout();
    await payWith(page, '3-D Secure');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.goto(`${shop.test.url}/shop/checkout`);
    await page.getByRole('heading', { name: 'Your payment is under way' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'To the order' }).click();
    await page.getByRole('button', { name: 'Give it up' }).click();
    await orderShown(page, 'Not bought.');
    await page.getByRole('link', { name: 'Try another card' }).click();
    await page.getByRole('button', { name: 'Pay €12.50' }).waitFor();
    expect(await shop.complaints()).toEqual([]);
  });

  it.each([
    ['Silent bank', YOURS],
    ['Slow bank', YOURS],
    ['Stumbling bank', YOURS],
    ['Bank debit', YOURS],
  ])('waits for a %s, and has the one order', async (card, title) => {
    const before = await countOrders();
    const { page } = await toCheckout();
    await payWith(page, card);
    await expectOneOrder(await orderShown(page, title), before);
    expect(await shop.complaints()).toEqual([]);
  });

  it('is refused by a line that is dead, and keeps the hold', async () => {
    const { page } = await toCheckout();
    await payWith(page, 'Dead line');
    const refusal = page.getByText('Nothing was charged').first();
    await refusal.waitFor();
    const again = page.getByRole('link', { name: 'Try another card' });
    if (await again.isVisible()) await again.click();
    await payWith(page, 'Visa');
    await orderShown(page, YOURS);
  });

  it('ends in the one order if the page is reloaded before the answer comes', async () => {
    const before = await countOrders();
    const { page } = await toCheckout();
    const arrived = loseAnswers(page);
    await payWith(page, 'Visa');
    await arrived;
    await page.unroute('**/v1/checkouts');
    await page.reload();
    await expectOneOrder(await orderShown(page, YOURS), before);
    await page.getByRole('button', { name: 'Cart, 0 items' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Mug' }).waitFor(); // not the checkout of what is paid
  });

  it('ends in the one order if the tab is closed, and the shop opened again', async () => {
    const before = await countOrders();
    const { page } = await toCheckout();
    const arrived = loseAnswers(page);
    await payWith(page, 'Visa');
    await arrived;
    const tab = await page.context().newPage();
    await page.close();
    await tab.goto(`${shop.test.url}/shop`);
    await tab.getByRole('link', { name: 'Payment under way' }).click();
    await expectOneOrder(await orderShown(tab, YOURS), before);
  });

  it('ends in the one order if the connection is lost for a while', async () => {
    const before = await countOrders();
    const { page } = await toCheckout();
    await page.context().setOffline(true);
    await payWith(page, 'Visa');
    await page.getByText('The connection is lost.').waitFor();
    await page.context().setOffline(false);
    await expectOneOrder(await orderShown(page, YOURS), before);
    await page.getByText('The connection is lost.').waitFor({ state: 'hidden' });
  });

  it('sees an order that is cancelled by an operator, live', async () => {
    const { page } = await toCheckout();
    await payWith(page, 'Visa');
    const id = await orderShown(page, YOURS);
    await shop.test.api.post(`/v1/orders/${id}/cancel`, {}, { key: 'admin' });
    await orderShown(page, 'Cancelled.');
    await eventually('paid back', () => orderOf(shop.test.api, id), { until: ({ state }) => state === 'CANCELLED' });
  });
});

/** The service gets the payment and answers it, but the answer never arrives. Resolves when it was answered. */
function loseAnswers(page: Page): Promise<void> {
  return new Promise((resolve, reject) => {
    page
      .route('**/v1/checkouts', async (route) => {
        await route.fetch();
        resolve();
      })
      .catch(reject);
  });
}
