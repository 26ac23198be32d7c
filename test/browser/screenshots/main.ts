// npm run screenshots: the pages as the README shows them, taken from a service of its own with the demo catalogue.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { type AppProcess, startAppProcess } from '../../setup/app-process.js';
import { startBrowser } from '../../setup/browser.js';
import { requireFile } from '../../setup/debian-package.js';
import { newVisitor } from '../visitor.js';
import { consoleShots } from './console-shots.js';
import { shopShots } from './shop-shots.js';
import type { Shot } from './shot.js';

const TARGET = path.resolve(import.meta.dirname, '../../../docs/screenshots');
/** So that they look the same wherever they are taken: the pages ask for these fonts, and load none. */
const FONTS = {
  '/usr/share/fonts/opentype/inter/Inter-Regular.otf': 'fonts-inter',
  '/usr/share/texmf/fonts/opentype/public/tex-gyre/texgyrepagella-regular.otf': 'fonts-texgyre',
};
/** Messages that come and go are not part of the picture. */
const CALM = '.snackbar { display: none }';

async function take(
  browser: Browser,
  service: AppProcess,
  { name, path: at, screen, before, until }: Shot,
): Promise<void> {
  await before?.(service.api);
  const { page, leave } = await newVisitor(browser, `${service.url}${at}`, { ...screen, bypassCSP: true });
  await until(page);
  await page.addStyleTag({ content: CALM });
  await page.mouse.move(0, 0);
  await page.evaluate('scrollTo(0, 0)');
  await page.evaluate('Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => 0)))');
  const file = path.join(TARGET, `${name}.png`);
  await page.screenshot({ path: file });
  process.stdout.write(`${path.relative(process.cwd(), file)}: ${Math.round(statSync(file).size / 1_024)} kB\n`);
  await leave();
}

for (const [file, packageName] of Object.entries(FONTS)) requireFile(file, packageName);
mkdirSync(TARGET, { recursive: true });
const dataDir = mkdtempSync(path.join(tmpdir(), 'checkout-screenshots-'));
const service = await startAppProcess({ DATA_DIR: dataDir, SAGA_BACKOFF_FACTOR: '0.001' });
const browser = await startBrowser();
try {
  for (const shot of [...shopShots, ...consoleShots]) await take(browser, service, shot);
} finally {
  await browser.close();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
