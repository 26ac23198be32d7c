import type { Page } from 'playwright-core';
import { eventually } from '../setup/eventually.js';
import { expectSound } from '../setup/shop.js';
import { addToCart, checkOut, Lantern, openCart, orderShown, payWith } from './lantern.js';
import { useStage } from './page-stage.js';

const admin = { key: 'admin' } as const;

describe('holding in the shop', () => {
  const shop = useStage(() => Lantern.open({ RESERVATION_MAX_EXTENSION_SECONDS: '300' }));

  const availableOf = async (sku: string) => (await shop().test.api.get(`/v1/skus/${sku}`)).body.available as number;
  /** What is shown to crowds may be a second old. */
  const untilAvailable = (sku: string, wanted: number) =>
    eventually(`${wanted} of ${sku} available`, () => availableOf(sku), { until: (seen) => seen === wanted });

  it('shows the time that is left, changes what is held, extends it once, and gives it back', async () => {
    const before = await availableOf('demo-mug');
    const { page } = await shop().visit();
    await addToCart(page, 'Mug');
    await checkOut(page);
    await untilAvailable('demo-mug', before - 1);
    expect(await secondsLeft(page)).toBeGreaterThan(600);

    await page.getByRole('button', { name: 'More: Mug' }).click();
    await page.getByRole('button', { name: 'Pay €25.00' }).waitFor();
    await untilAvailable('demo-mug', before - 2);

    await page.getByRole('button', { name: '5 more minutes' }).click();
    await eventually('more time', () => secondsLeft(page), { until: (seconds) => seconds > 900 });
    await page.getByRole('button', { name: '5 more minutes' }).click();
    await page.getByRole('status').filter({ hasText: 'It cannot be held any longer' }).waitFor();

    await page.getByRole('link', { name: 'Goods' }).click();
    await page.getByRole('link', { name: /^Held for you/ }).click();
    await page.getByRole('button', { name: 'Give it back' }).click();
    await page.getByRole('button', { name: 'Cart, 2 items' }).waitFor();
    await untilAvailable('demo-mug', before);
  });

  it('survives a reload, and is the same in another tab', async () => {
    const { page } = await shop().visit();
    await addToCart(page, 'Shirt');
    await checkOut(page);
    await page.reload();
    await page.getByRole('button', { name: 'Pay €29.00' }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${shop().test.url}/shop/checkout`);
    await tab.getByRole('button', { name: 'More: Shirt' }).click();
    await tab.getByRole('button', { name: 'Pay €58.00' }).waitFor();
    await page.getByRole('button', { name: 'Pay €58.00' }).waitFor();
    await payWith(tab, 'Visa');
    const id = await orderShown(tab, 'It’s yours.');
    expect(await orderShown(page, 'It’s yours.')).toBe(id); // the first tab is led there, too
  });

  it('that ended meanwhile is not paid: the things are back in the cart, and can be had again', async () => {
    const { page } = await shop().visit();
    await addToCart(page, 'Reading lamp');
    await checkOut(page);
    const reservationId = await page.evaluate<string>(`JSON.parse(localStorage.getItem('shop:basket')).hold.id`);
    await shop().test.api.post('/v1/sandbox/expire', { reservationId }, admin);
    await payWith(page, 'Visa');
    await page.getByRole('heading', { name: 'Nothing is kept for you' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'The time is over' }).waitFor();
    await checkOut(page);
    await payWith(page, 'Visa');
    await orderShown(page, 'It’s yours.');
  });

  it('of the last unit is for one of two who click at the same time', async () => {
    const [ada, ben] = await Promise.all([shop().visit(), shop().visit()]);
    for (const { page } of [ada, ben]) {
      await addToCart(page, 'The last one');
      await openCart(page);
      await page.getByRole('button', { name: 'Check out' }).waitFor();
    }
    await Promise.all([ada, ben].map(({ page }) => page.getByRole('button', { name: 'Check out' }).click()));
    const outcomeOf = (page: Page) =>
      Promise.race([
        page
          .getByRole('heading', { name: 'Check out' })
          .waitFor()
          .then(() => 'held'),
        page
          .getByRole('alert')
          .getByText('somebody else was faster')
          .waitFor()
          .then(() => 'refused'),
      ]);
    const outcomes = await Promise.all([outcomeOf(ada.page), outcomeOf(ben.page)]);
    expect([...outcomes].sort()).toEqual(['held', 'refused']);
    const [winner, loser] = outcomes[0] === 'held' ? [ada, ben] : [ben, ada];
    await loser.page.locator('[data-sku="demo-last-one"]').getByText('All in carts').waitFor();
    await payWith(winner.page, 'Visa');
    await orderShown(winner.page, 'It’s yours.');
    await loser.page.locator('[data-sku="demo-last-one"]').getByText('Sold out').first().waitFor({ state: 'attached' });
    await untilAvailable('demo-last-one', 0);
  });
});

describe('a hold in the shop whose time runs out', () => {
  let shop: Lantern;
  beforeAll(async () => {
    shop = await Lantern.open({ RESERVATION_TTL_SECONDS: '6', RESERVATION_SWEEP_SECONDS: '1' });
  }, 300_000);
  afterAll(() => shop?.close());

  it('counts down, says so at the end, and puts the things back into the cart', async () => {
    const { page } = await shop.visit();
    await addToCart(page, 'Mug');
    await openCart(page);
    await page.getByRole('button', { name: 'Check out' }).click();
    await page.getByRole('heading', { name: 'Nothing is kept for you' }).waitFor();
    await page.getByRole('button', { name: 'Cart, 1 item' }).waitFor();
    await eventually('the stock is free', async () => (await shop.test.api.get('/v1/skus/demo-mug')).body.reserved, {
      until: (reserved) => reserved === 0,
    });
    expect(await shop.complaints()).toEqual([]);
    await expectSound(shop.test.api);
  });
});

async function secondsLeft(page: Page): Promise<number> {
  const [minutes = 0, seconds = 0] = (await page.locator('.hold-time').innerText()).split(':').map(Number);
  return minutes * 60 + seconds;
}
