import type { Page } from 'playwright-core';
import { orderOf } from '../setup/shop.js';
import { KEEPER, Lantern, orderShown, payWith, SALT_ROADS } from './lantern.js';
import { useStage } from './page-stage.js';

describe('seats in the shop', () => {
  const shop = useStage(() => Lantern.open());

  const seat = (page: Page, row: string, number: number, state: string) =>
    page.getByRole('button', { name: new RegExp(`^Row ${row}, seat ${number}, .*, ${state}$`) });

  it('are chosen on the map, and others see at once that they are held, and sold', async () => {
    const [ada, ben] = [await shop().visit(SALT_ROADS), await shop().visit(SALT_ROADS)];
    await seat(ada.page, 'E', 6, 'free').click();
    await seat(ada.page, 'E', 7, 'free').click();
    await seat(ada.page, 'E', 7, 'yours').waitFor();
    await ada.page.getByRole('button', { name: 'Keep and pay' }).click();
    await ada.page.getByRole('heading', { name: 'Check out' }).waitFor();
    await seat(ben.page, 'E', 6, 'held by somebody').waitFor();

    // changes the mind about one of them, without letting go of the other
    await ada.page.getByRole('link', { name: 'Cinema' }).click();
    await seat(ada.page, 'E', 6, 'yours').click();
    await seat(ada.page, 'E', 5, 'free').click();
    await seat(ada.page, 'E', 5, 'yours').waitFor();
    await seat(ben.page, 'E', 6, 'free').waitFor();
    await seat(ben.page, 'E', 5, 'held by somebody').focus();
    await ben.page.keyboard.press('Enter');
    await ben.page.getByRole('status').filter({ hasText: 'Seat E5 is held by somebody' }).waitFor();

    await ada.page.getByRole('button', { name: /^Go on to payment/ }).click();
    await payWith(ada.page, 'Visa');
    const id = await orderShown(ada.page, 'It’s yours.');
    const { lines } = await orderOf(shop().test.api, id);
    expect(lines.map(({ name }: { name: string }) => name).sort()).toEqual(['Seat E5', 'Seat E7']);
    await seat(ben.page, 'E', 5, 'sold').waitFor();
  });

  it('are found side by side', async () => {
    const { page } = await shop().visit(KEEPER);
    await page.getByRole('button', { name: 'More: seats' }).click();
    await page.getByRole('button', { name: 'Find the best' }).click();
    await page.getByRole('heading', { name: 'Check out' }).waitFor();
    const places = await page.locator('.line .quiet').allInnerTexts();
    const numbers = places.map((text) => Number(/seat (\d+)/.exec(text)![1])).sort((a, b) => a - b);
    expect(numbers).toHaveLength(3);
    expect(numbers[2]! - numbers[0]!).toBe(2);
    await payWith(page, 'Visa');
    await orderShown(page, 'It’s yours.');
  });

  it('are walked through with the arrow keys, by one stop of the Tab key', async () => {
    const { page } = await shop().visit(KEEPER);
    await seat(page, 'A', 1, 'free').focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await page.keyboard.press('Space');
    await seat(page, 'B', 3, 'yours').waitFor();
    await page.getByRole('status').filter({ hasText: 'Seat B3 is yours' }).waitFor();
    expect(await page.locator('button.seat[tabindex="0"]').count()).toBe(1);
  });
});
