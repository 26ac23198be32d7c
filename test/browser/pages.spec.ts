import type { Browser } from 'playwright-core';
import { DemoCatalogue } from '../../src/inventory/sku/demo-catalogue.js';
import { startBrowser } from '../setup/browser.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { smallest } from '../setup/timing.js';
import { firstViewWeightOf, weightOf } from './page-weight.js';
import { newVisitor, seriousFindings } from './visitor.js';

const KB = 1_000;
/** Compressed; the console's charts take their share. */
const MAX_BYTES = { shop: 130 * KB, console: 300 * KB };
const MAX_FIRST_VIEW_MS = 1_000;

describe.each(['shop', 'console'] as const)('the %s', (name) => {
  let test: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    test = await startTestApp();
    await test.app.get(DemoCatalogue).seed();
    browser = await startBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await test?.close();
  });

  it('is light', () => {
    const [all, first] = [weightOf(name), firstViewWeightOf(name)];
    process.stdout.write(`${name}: ${all} bytes compressed, ${first} of them for the first view\n`);
    expect(all).toBeLessThanOrEqual(MAX_BYTES[name]);
  });

  it('opens without a complaint of the browser or of axe', async () => {
    const { page, complaints, leave } = await newVisitor(browser, `${test.url}/${name}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('opens quickly with an empty cache', async () => {
    const firstView = async () => {
      const { page, leave } = await newVisitor(browser, `${test.url}/${name}`);
      const mark = await page.waitForFunction(() => performance.getEntriesByName('first-view')[0]?.startTime);
      const ms = await mark.jsonValue();
      await leave();
      return ms!;
    };
    const ms = await smallest(MAX_FIRST_VIEW_MS, firstView);
    process.stdout.write(`${name}: first view after ${Math.round(ms)} ms\n`);
    expect(ms).toBeLessThanOrEqual(MAX_FIRST_VIEW_MS);
  });
});
