import type { Page } from 'playwright-core';
import type { ApiClient } from '../../setup/api-client.js';
import { setFaults, stuckCancellation } from '../../setup/outages.js';
import { checkOut } from '../../setup/shop.js';
import { signIn } from '../desk.js';
import { DARK, DESK, LIGHT, PHONE, type Shot } from './shot.js';

const GOODS = ['demo-mug', 'demo-shirt', 'demo-poster'] as const;
const METHODS = ['pm_card_visa', 'pm_card_visa', 'pm_card_visa', 'pm_sandbox_slow', 'pm_card_chargeDeclined'] as const;

async function aDayOfTrouble(api: ApiClient): Promise<void> {
  await aCrowd(api, 40);
  for (let orders = 0; orders < 3; orders += 1) await stuckCancellation(api, 'demo-mug');
  await setFaults(api);
}

/** Some pay, some are declined, some banks are slow. */
async function aCrowd(api: ApiClient, buyers: number): Promise<void> {
  const buyer = (index: number) => checkOut(api, GOODS[index % 3]!, METHODS[index % 5]);
  await Promise.all(Array.from({ length: buyers }, (_, index) => buyer(index)));
}

/** The view behind a link of the console's own navigation. */
async function open(page: Page, name: string): Promise<void> {
  await signIn(page);
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).first().click();
  await page.getByText('Reading …').first().waitFor({ state: 'detached' });
}

export const consoleShots: readonly Shot[] = [
  {
    name: 'console',
    path: '/console',
    screen: { ...DESK, ...LIGHT },
    before: aDayOfTrouble,
    until: async (page) => {
      await signIn(page);
      await page.getByRole('region', { name: 'A refund does not go through' }).waitFor();
    },
  },
  {
    name: 'console-phone',
    path: '/console',
    screen: { ...PHONE, ...LIGHT },
    until: async (page) => {
      await signIn(page);
      await page.getByRole('region', { name: 'A refund does not go through' }).waitFor();
    },
  },
  {
    name: 'console-order',
    path: '/console',
    screen: { ...DESK, ...DARK },
    until: async (page) => {
      await signIn(page);
      await page
        .getByRole('region', { name: 'A refund does not go through' })
        .getByRole('link', { name: /^order / })
        .first()
        .click();
      await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor();
      await page.getByText('Reading …').first().waitFor({ state: 'detached' });
    },
  },
  {
    name: 'console-overview',
    path: '/console',
    screen: { ...DESK, ...DARK },
    before: async (api) => {
      for (let second = 0; second < 20; second += 1) await aCrowd(api, 10 + second);
    },
    until: async (page) => {
      await open(page, 'Overview');
      await page.getByText('Checkouts a second', { exact: true }).waitFor();
      await page.getByRole('table').first().waitFor();
    },
  },
];
