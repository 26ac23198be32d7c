import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { visit } from '../setup/browser.js';
import { eventually } from '../setup/eventually.js';

export interface Visitor {
  readonly page: Page;
  /** What the browser complained about: errors on its console, exceptions, files that could not be loaded. */
  readonly complaints: readonly string[];
  leave(): Promise<void>;
}

/** A person with a browser of their own: nothing is shared with other visitors but the machine. */
export async function newVisitor(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const complaints: string[] = [];
  const page = await visit(browser, 'about:blank', options);
  page.on('console', (message) => {
    // A refusal of the API is an answer. Chromium logs it as an error all the same.
    const isAnswer = message.location().url.includes('/v1/') && /status of 4\d\d/.test(message.text());
    if (message.type() === 'error' && !isAnswer) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, complaints, leave: () => page.context().close() };
}

/** In the page; a spinner never ends, and is no text. */
const IS_STILL = `document.getAnimations().every(({ playState, effect }) => playState !== 'running' || effect.getTiming().iterations === Infinity)`;

/** What axe finds serious or critical, one line each; with `rules`, by these alone. */
export async function seriousFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Not while something fades in: half transparent text has too little contrast.
  await eventually('nothing moves', () => page.evaluate<boolean>(IS_STILL));
  // Evaluated, not added as an element: the page's policy allows no script but its own.
  await page.evaluate(`globalThis.axe ?? ${axe.source}`);
  const options: axe.RunOptions = rules ? { runOnly: { type: 'rule', values: [...rules] } } : {};
  const { violations } = await page.evaluate(
    (given) => (globalThis as unknown as { axe: typeof axe }).axe.run(given),
    options,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id} (${help}): ${html.slice(0, 200)}`));
}
