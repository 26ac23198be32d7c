import { build } from 'esbuild';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { DemoCatalogue } from '../../src/inventory/sku/demo-catalogue.js';
import { programsOf, ROOT } from '../guide/program.js';
import { startBrowser, visit } from '../setup/browser.js';
import { KEYS } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { expectSound } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';

const MAX_LINES = 60;

describe('the page of the guide, in a browser', () => {
  const [page = ''] = programsOf('docs/guide/browser.md', 'html');
  let server: Server;
  let test: TestApp;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: `export * from './packages/client/dist/public-api.js';`, resolveDir: ROOT },
      ...{ bundle: true, format: 'esm', write: false },
    });
    server = createServer(({ url }, response) => {
      const isScript = url === '/client.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
      response.end(isScript ? outputFiles[0]!.text : page);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    test = await startTestApp({ CORS_ORIGINS: origin, SANDBOX_AUTHENTICATION_MS: '0' });
    await test.app.get(DemoCatalogue).seed();
    browser = await startBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await test?.close();
    server.closeAllConnections();
    server.close();
  });

  it('holds, edits, is declined, pays again, abandons and buys again on another origin, in fewer than 60 lines', async () => {
    expect(page.trimEnd().split('\n').length).toBeLessThan(MAX_LINES);
    const query = new URLSearchParams({ url: test.url, key: KEYS.STOREFRONT_API_KEY });
    const shop = await visit(browser, `${origin}/?${query.toString()}`);
    const wrong: string[] = [];
    shop.on('pageerror', (error) => wrong.push(error.message));
    const seen = await eventually('the page has come to its end', () => shop.locator('li').allTextContents(), {
      until: (lines) => lines.length === 5 || wrong.length > 0,
    });
    expect(wrong).toEqual([]);
    expect(seen).toEqual([
      'held Seat D2 and Seat D3',
      'declined: insufficient_funds',
      'confirmed',
      'abandoned: CANCELLED',
      'bought the last one',
    ]);
    await expectSound(test.api);
  });
});
