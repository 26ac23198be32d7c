import type { BrowserContextOptions, Page } from 'playwright-core';
import { PageStage } from './page-stage.js';
import type { Visitor } from './visitor.js';

/** The demo's shop, and a browser to visit it. */
export class Lantern extends PageStage {
  static async open(env: Readonly<Record<string, string>> = {}): Promise<Lantern> {
    return new Lantern(...(await PageStage.start(env)));
  }

  visit(path = '', options: BrowserContextOptions = {}): Promise<Visitor> {
    return this.newVisitor(`/shop${path}`, options);
  }
}

export const SALT_ROADS = '/shows/cinema%3Ashow%3A67890';
export const KEEPER = '/shows/cinema%3Ashow%3A12345';

export async function addToCart(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Add ${name}`, exact: true }).click();
  await page
    .getByRole('status')
    .filter({ hasText: `${name} is in your cart` })
    .waitFor();
}

/** From the cart to the checkout, with everything kept. */
export async function checkOut(page: Page): Promise<void> {
  await openCart(page);
  await page.getByRole('button', { name: 'Check out' }).click();
  await page.getByRole('heading', { name: 'Check out' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

export async function openCart(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Cart,/ }).click();
  await page.getByRole('dialog', { name: 'Your cart' }).waitFor();
}

/** A card by its name; those that make trouble are behind a disclosure. */
export async function payWith(page: Page, card: string): Promise<void> {
  const choice = page.getByRole('radio', { name: card });
  if (!(await choice.isVisible())) await page.getByText('Cards that make trouble').click();
  await choice.check();
  await page.getByRole('button', { name: /^Pay / }).click();
}

/** The id of the order whose page this is, once it says so. */
export async function orderShown(page: Page, title: string | RegExp): Promise<string> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  return new URL(page.url()).pathname.split('/').at(-1)!;
}
