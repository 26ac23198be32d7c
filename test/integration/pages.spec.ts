import { loadConfig } from '../../src/platform/config/app-config.js';
import { KEYS } from '../setup/app-process.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';

const HTML = { accept: 'text/html,application/xhtml+xml' };

describe('the pages', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${test.url}${path}`, { headers, redirect: 'manual' });

  it('lead a browser to the shop, and name the API to everybody else', async () => {
    const browser = await get('/', HTML);
    expect([browser.status, browser.headers.get('location'), browser.headers.get('vary')]).toEqual([
      302,
      '/shop',
      'accept',
    ]);
    expect(await (await get('/')).json()).toMatchObject({
      name: 'checkout-saga',
      openapi: '/openapi.json',
      shop: '/shop',
      console: '/console',
    });
  });

  it.each(['/shop', '/shop/', '/shop/orders/4711', '/console', '/console/sagas?state=STUCK'])(
    'answer %s with a page that runs nothing but its own files',
    async (path) => {
      const page = await get(path, { 'accept-encoding': 'identity' });
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers.get('cache-control')).toBe('no-cache');
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none';script-src 'self';style-src 'self';/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(page.headers.get('x-frame-options')).toBe('DENY');
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      const html = await page.text();
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?:\/\//);
    },
  );

  it('keep their assets for ever, compressed', async () => {
    const html = await (await get('/shop')).text();
    const [script = ''] = /\/shop\/assets\/[\w-]+\.js/.exec(html) ?? [];
    const asset = await get(script, { 'accept-encoding': 'gzip, br' });
    expect([asset.status, asset.headers.get('content-encoding')]).toEqual([200, 'br']);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('vary')).toBe('accept-encoding');
    await asset.arrayBuffer();
    const unknown = await get('/shop/assets/index-12345678.js');
    expect([unknown.status, ((await unknown.json()) as any).code]).toEqual([404, 'NOT_FOUND']);
    const outside = await get('/shop/assets/..%2f..%2f..%2f..%2fpackage.json');
    expect(outside.status).toBeGreaterThanOrEqual(400);
    await outside.arrayBuffer();
  });

  it('give the shop a storefront’s key, which is publishable, and nothing else', async () => {
    const settings = await get('/shop/config.json');
    expect(settings.headers.get('cache-control')).toBe('no-store');
    const body = await settings.json();
    expect(body).toMatchObject({ apiKey: KEYS.STOREFRONT_API_KEY, url: test.url, hasCustomerTokens: false });
    expect(JSON.stringify(body)).not.toContain(KEYS.ADMIN_API_KEY);
    expect(JSON.stringify(body)).not.toContain(KEYS.ACCESS_TOKEN_SECRET);
  });

  it('send another name of this machine to the one that links in answers have', async () => {
    const { port } = new URL(test.url);
    const alias = await fetch(`http://localhost:${port}/shop/orders?a=1`, { redirect: 'manual' });
    expect([alias.status, alias.headers.get('location')]).toEqual([302, `${test.url}/shop/orders?a=1`]);
  });
});

describe('pages that are off', () => {
  it('are not there', async () => {
    const test = await startTestApp({ PAGES: 'off' });
    for (const path of ['/shop', '/shop/config.json', '/console', '/shop/assets/a.js']) {
      const answer = await fetch(`${test.url}${path}`);
      expect([path, answer.status, ((await answer.json()) as any).code]).toEqual([path, 404, 'NOT_FOUND']);
    }
    const root = await fetch(`${test.url}/`, { headers: HTML, redirect: 'manual' });
    expect(root.headers.get('location')).toBe('/docs');
    await test.close();
  });

  const production = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://127.0.0.1/none',
    ADMIN_API_KEY: 'admin-key-for-tests-only',
    STOREFRONT_API_KEY: 'storefront-key-for-tests',
    ACCESS_TOKEN_SECRET: 'access-token-secret-for-tests',
  };
  const sandbox = { ...production, PAYMENT_GATEWAY: 'sandbox', SANDBOX_IN_PRODUCTION: 'true' };
  const stripe = { PAYMENT_GATEWAY: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };

  it.each([
    ['both by default', {}, ['shop', 'console']],
    ['no shop of test cards beside Stripe', stripe, ['console']],
    ['none in production', sandbox, []],
    ['in production those that are named', { ...sandbox, PAGES: 'console, shop' }, ['shop', 'console']],
  ])('%s', (_name, env, pages) => {
    expect(loadConfig(env).pages).toEqual(pages);
  });

  it('refuse what cannot be', () => {
    expect(() => loadConfig({ ...stripe, PAGES: 'shop' })).toThrow(/PAGES=shop pays with the test cards/);
    expect(() => loadConfig({ PAGES: 'shop,cellar' })).toThrow(/PAGES=shop,cellar: must be off, or some of shop/);
  });
});
