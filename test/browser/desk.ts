import type { BrowserContextOptions, Page } from 'playwright-core';
import { KEYS } from '../setup/app-process.js';
import { PageStage } from './page-stage.js';

/** Failures are given up at once, and what is left behind is taken over soon: an operator's day in a minute. */
const SETTINGS = { SAGA_BACKOFF_FACTOR: '0.001', SAGA_LEASE_MS: '2000', SANDBOX_AUTHENTICATION_MS: '0' };

/** The operator's desk: the service with its pages, and a browser in which the console is open. */
export class Desk extends PageStage {
  static async open(): Promise<Desk> {
    return new Desk(...(await PageStage.start(SETTINGS)));
  }

  /** The console as a stranger finds it. */
  async visit(path = '', options: BrowserContextOptions = {}): Promise<Page> {
    return (await this.newVisitor(`/console${path}`, options)).page;
  }

  /** Signed in, at a view of it. */
  async sit(path = '', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.visit(path, options);
    await signIn(page);
    return page;
  }
}

export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Admin’s API key').fill(KEYS.ADMIN_API_KEY);
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
}

/** Opens a verb's dialog, says why, and confirms it. */
export async function confirm(page: Page, verb: string, reason: string, confirmation = verb): Promise<void> {
  await page.getByRole('button', { name: verb, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason, for the audit trail').fill(reason);
  await dialog.getByRole('button', { name: confirmation, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
