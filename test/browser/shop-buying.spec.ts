import type { Page } from 'playwright-core';
import { ledgerOf, orderOf } from '../setup/shop.js';
import { addToCart, checkOut, Lantern, openCart, orderShown, payWith } from './lantern.js';
import { useStage } from './page-stage.js';

const YOURS = 'It’s yours.';
const MAX_TABS = 120;
/** Runs in the page: the name of what has the focus. */
const FOCUSED = `(({ ariaLabel, labels, textContent }) => (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim())(document.activeElement)`;

describe('buying in the shop', () => {
  const shop = useStage(() => Lantern.open());

  it('puts things into a cart, changes the quantity, keeps them, pays, and lists the order', async () => {
    const { page } = await shop().visit();
    await addToCart(page, 'Mug');
    await addToCart(page, 'Tote bag');
    await openCart(page);
    await page.getByRole('button', { name: 'More: Mug' }).click();
    await page.locator('.total').getByText('€43.00').waitFor();
    await page.getByRole('button', { name: 'Remove Tote bag' }).click();
    await page.locator('.total').getByText('€25.00').waitFor();
    await page.getByRole('button', { name: 'Check out' }).click();
    await page.getByText('Kept for you.').waitFor();
    await page.getByLabel('E-mail').fill('ada@example.com');
    await payWith(page, 'Visa');
    const id = await orderShown(page, YOURS);
    expect(await orderOf(shop().test.api, id)).toMatchObject({
      state: 'CONFIRMED',
      total: 2_500,
      customer: { email: 'ada@example.com' },
      lines: [{ sku: 'demo-mug', quantity: 2 }],
    });
    await page.getByText('What happened behind the curtain').click();
    await page.getByText('Payment captured').waitFor();
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('link', { name: /Mug.*Confirmed.*€25\.00/s }).click();
    expect(await orderShown(page, YOURS)).toBe(id);
    await page.goto(`${shop().test.url}/shop`);
    await page.getByRole('button', { name: 'Cart, 0 items' }).waitFor();
  });

  it('is declined, keeps what was held, and pays with another card', async () => {
    const { page } = await shop().visit();
    await addToCart(page, 'Poster, signed');
    await checkOut(page);
    await payWith(page, 'Declined');
    await page.getByRole('alert').getByText('The bank declined this card.').waitFor();
    await payWith(page, 'Empty account');
    await page.getByRole('alert').getByText('There is not enough money on this card.').waitFor();
    await payWith(page, 'Visa');
    const id = await orderShown(page, YOURS);
    expect(await ledgerOf(shop().test.api, id)).toMatchObject([{ state: 'CAPTURED', amount: 4_500 }]);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByText('Not bought').first().waitFor();
    expect(await page.getByText('Not bought').count()).toBe(2);
    expect(await page.getByText('Confirmed').count()).toBe(1);
  });

  it('shows what is sold out, and what somebody else took first', async () => {
    const [slow, quick] = [await shop().visit(), await shop().visit()];
    expect(await slow.page.getByRole('button', { name: 'Sold out Pocket camera' }).isDisabled()).toBe(true);
    await addToCart(slow.page, 'The last one');
    await addToCart(quick.page, 'The last one');
    await openCart(slow.page);
    await slow.page.getByRole('button', { name: 'Check out' }).waitFor();
    await checkOut(quick.page);
    await payWith(quick.page, 'Visa');
    await orderShown(quick.page, YOURS);
    await slow.page.getByRole('button', { name: 'Check out' }).click();
    await slow.page.getByRole('alert').getByText('The last one: somebody else was faster.').waitFor();
    await slow.page.getByRole('button', { name: 'Close the cart' }).click();
    await slow.page.locator('[data-sku="demo-last-one"]').getByText('Sold out').first().waitFor();
  });

  it('can be done with the keyboard alone', async () => {
    const { page } = await shop().visit();
    await page.getByRole('heading', { name: 'Mug' }).waitFor();
    await tabTo(page, 'Add Mug');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cart, 1 item' }).waitFor();
    await tabTo(page, 'Cart, 1 item', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Check out');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check out' }).waitFor();
    await tabTo(page, 'Visa');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await tabTo(page, 'Pay €12.50');
    await page.keyboard.press('Enter');
    await orderShown(page, YOURS);
  });
});

/** Walks with the Tab key until what is focused begins with these words. */
async function tabTo(page: Page, words: string, key = 'Tab'): Promise<void> {
  const seen: string[] = [];
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    await page.keyboard.press(key);
    const name = await page.evaluate<string>(FOCUSED);
    if (name.startsWith(words)) return;
    seen.push(name.slice(0, 30));
  }
  throw new Error(`no way to "${words}" with ${key}; seen: ${seen.join(' | ')}`);
}
