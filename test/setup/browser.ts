import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { requireProgram } from './debian-package.js';

/** Chromium looks for hosts of its own that tests cannot reach, and would wait for them. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];
/** Generous: on a busy machine a start that takes one second takes many. */
const START_TIMEOUT_MS = 120_000;
const ACTION_TIMEOUT_MS = 60_000;

/** A real browser without a window. Whoever starts it closes it; a new context is a new visitor. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = requireProgram('chromium', 'chromium');
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [...QUIET, ...asRoot], timeout: START_TIMEOUT_MS });
}

/** A new visitor, with a page that waits as long as a busy machine may take. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}
