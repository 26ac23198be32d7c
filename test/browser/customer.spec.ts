import type { Browser, Page } from 'playwright-core';
import { startBrowser, visit } from '../setup/browser.js';
import { KEYS } from '../setup/app-process.js';
import { expectSound, newSku } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { type ShopPage, startShopPage } from './shop-page.js';

const ASKS = 'pm_card_authenticationRequired';

/** What the page of the shop has, see shop-page.ts. */
declare global {
  function call(method: string, path: string, body?: unknown, token?: string): Promise<{ status: number; body: any }>;
  function followed(eventsUrl: string, state: string): Promise<string>;
  function authenticated(url: string): Promise<{ type: string; orderId: string; state: string }>;
}

describe('a customer in a browser, on the shop’s own origin', () => {
  let shop: ShopPage;
  let test: TestApp;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    shop = await startShopPage();
    test = await startTestApp({ CORS_ORIGINS: shop.origin, SANDBOX_AUTHENTICATION_MS: '0' });
    shop.serve({ url: test.url, key: KEYS.STOREFRONT_API_KEY });
    browser = await startBrowser();
    page = await visit(browser, `${shop.origin}/cart`);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await test?.close();
    await shop?.close();
  });

  const checkOut = (sku: string, method: string) => {
    const body = {
      currency: 'EUR',
      lines: [{ sku, quantity: 1 }],
      payment: { method },
      returnUrl: `${shop.origin}/back`,
    };
    return page.evaluate((wanted) => call('POST', '/v1/checkouts', wanted), body);
  };

  it('approves in a popup, which says so and closes; the order is seen to stand over EventSource alone', async () => {
    const { status, body: order } = await checkOut(await newSku(test.api, 1), ASKS);
    expect(status).toBe(202);
    const opened = page.waitForEvent('popup');
    const told = page.evaluate((url) => authenticated(url), order.nextAction.url as string);
    const popup = await opened;
    await popup.getByRole('button', { name: 'Approve' }).click();
    expect(await told).toEqual({ type: 'checkout-saga.authentication', orderId: order.id, state: 'CAPTURED' });
    expect(await page.evaluate((url) => followed(url, 'CONFIRMED'), order.eventsUrl as string)).toBe('CONFIRMED');
  });

  it('declines in the same window and comes back to the shop', async () => {
    const { body: order } = await checkOut(await newSku(test.api, 1), ASKS);
    await page.goto(order.nextAction.url as string);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.waitForURL(`${shop.origin}/back?orderId=${order.id}`);
    expect(await page.evaluate((url) => followed(url, 'REJECTED'), order.eventsUrl as string)).toBe('REJECTED');
    const { body } = await page.evaluate(([id, token]) => call('GET', `/v1/orders/${id}`, undefined, token), [
      order.id,
      order.accessToken,
    ] as [string, string]);
    expect(body.rejection).toMatchObject({ code: 'PAYMENT_DECLINED', declineCode: 'authentication_failed' });
  });

  it('abandons an authentication, cancels it and buys the same last unit again', async () => {
    const sku = await newSku(test.api, 1);
    const { body: order } = await checkOut(sku, ASKS);
    expect((await checkOut(sku, 'pm_card_visa')).body.code).toBe('OUT_OF_STOCK');
    const { status, body } = await page.evaluate(
      ([id, token]) => call('POST', `/v1/orders/${id}/cancel`, undefined, token),
      [order.id, order.accessToken] as [string, string],
    );
    expect([status, body.state, body.rejection.code]).toEqual([200, 'REJECTED', 'CANCELLED']);
    expect((await checkOut(sku, 'pm_card_visa')).status).toBe(201);
  });

  it('holds two seats, is declined, and pays with another card', async () => {
    const lines = [await newSku(test.api, 1), await newSku(test.api, 1)].map((sku) => ({ sku, quantity: 1 }));
    const answers = await page.evaluate(async (seats) => {
      const { body: held } = await call('POST', '/v1/reservations', { currency: 'EUR', lines: seats });
      const pay = (method: string) =>
        call(
          'POST',
          '/v1/checkouts',
          { currency: 'EUR', reservationId: held.id, payment: { method } },
          held.accessToken,
        );
      return [await pay('pm_card_chargeDeclined'), await pay('pm_card_visa')];
    }, lines);
    expect(answers).toMatchObject([
      { status: 402, body: { reservation: { state: 'HELD' } } },
      { status: 201, body: { state: 'CONFIRMED', total: 2_000 } },
    ]);
    await expectSound(test.api);
  });
});
