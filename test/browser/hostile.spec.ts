import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { KEYS } from '../setup/app-process.js';
import { setFaults, stuckCancellation } from '../setup/outages.js';
import { basket, newSku, orderOf } from '../setup/shop.js';
import { Desk } from './desk.js';

const admin = { key: 'admin' } as const;
/** Runs as markup, as an attribute, as a script and as a URL, wherever one of them were possible. */
const HOSTILE = `"'><img src=x onerror="hacked=1"><script>hacked=1</script><svg onload=hacked=1>javascript:hacked=1`;

describe('somebody hostile', () => {
  let desk: Desk;
  let site: Server;
  let origin: string;
  let page = '';
  beforeAll(async () => {
    desk = await Desk.open();
    site = createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(page);
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  }, 300_000);
  afterAll(async () => {
    site?.closeAllConnections();
    site?.close();
    await desk?.close();
  });

  it('cannot have a verb clicked from another site, even with the key', async () => {
    const { api, url } = desk.test;
    const { sagaId } = await stuckCancellation(api, await newSku(api, 5));
    await setFaults(api);
    const verb = `${url}/v1/sagas/${sagaId}/retry`;
    page = `<!doctype html><title>elsewhere</title><iframe src="${url}/console"></iframe>
      <form method="post" action="${verb}" enctype="text/plain"><button name='{"reason":"' value='x"}'>Win</button></form>`;
    const operator = await desk.sit(); // signed in, in the same browser
    const trap = await operator.context().newPage();
    await trap.goto(origin);

    // Framed, it shows nothing that could be clicked.
    await trap.waitForLoadState();
    const framed = trap.frames().find((frame) => frame.parentFrame() !== null);
    expect(framed?.url()).toBe('chrome-error://chromewebdata/');

    // A script is not allowed to send the header that the key goes in.
    const sent = await trap.evaluate(
      async ({ to, key }) =>
        fetch(to, {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          body: '{}',
        }).then(
          ({ status }) => `answered ${status}`,
          () => 'blocked',
        ),
      { to: verb, key: KEYS.ADMIN_API_KEY },
    );
    expect(sent).toBe('blocked');

    // A form is sent without any key: nothing of the operator's session goes along.
    const answered = trap.waitForResponse(verb);
    await trap.getByRole('button', { name: 'Win' }).click();
    expect([400, 401, 415]).toContain((await answered).status());

    const saga = (await api.get(`/v1/sagas/${sagaId}`, admin)).body;
    expect([saga.state, saga.audit]).toEqual(['STUCK', []]);
    expect(await desk.complaints()).toEqual([]);
  });

  it('cannot have text run as a script, in any view', async () => {
    const { api, database, url } = desk.test;
    const sku = await newSku(api, 5, { name: HOSTILE.slice(0, 200) });
    const customer = { id: HOSTILE.slice(0, 100) };
    const order = (await api.post('/v1/checkouts', basket(sku, { customer, metadata: { note: HOSTILE } }))).body;
    const id = order.id as string;
    const refund = { amount: 1, reason: HOSTILE };
    await api.post(`/v1/orders/${id}/refunds`, refund, { ...admin, idempotencyKey: randomUUID() });
    await api.post('/v1/bulk-runs', { action: 'retry-sagas', reason: HOSTILE, filter: { step: HOSTILE } }, admin);
    await database.query(
      `INSERT INTO dead_letters (id, source, message_id, body, code, reason, deliveries) VALUES (gen_random_uuid(), 's', $1, $1, 'VALIDATION_FAILED', $1, 1)`,
      [HOSTILE],
    );
    await database.query(
      `INSERT INTO webhook_inbox (id, provider, event_id, type, transaction_id, event, state, attempts, error)
       VALUES (gen_random_uuid(), 'sandbox', 'e', $1, $2, $3, 'DEAD', 1, $1)`,
      [HOSTILE, (await orderOf(api, id)).payment.id, JSON.stringify({ orderId: id })],
    );
    await database.query(`UPDATE sagas SET failure = $2 WHERE id = $1`, [
      order.sagaId,
      JSON.stringify({ code: 'PAYMENT_DECLINED', detail: HOSTILE }),
    ]);

    const operator = await desk.sit();
    const views = [
      '/',
      `/orders/${id}`,
      '/orders',
      `/sagas/${order.sagaId}`,
      '/sagas',
      `/stock/${sku}`,
      '/stock',
      '/overview',
      '/bulk',
      '/trail',
      '/sandbox',
      `/search?q=${encodeURIComponent(HOSTILE)}`,
      `/orders?customerId=${encodeURIComponent(customer.id)}`,
      `/bulk/new?action=${encodeURIComponent(HOSTILE)}&step=${encodeURIComponent(HOSTILE)}`,
    ];
    for (const view of views) {
      await operator.goto(`${url}/console${view}`);
      await operator.getByRole('heading', { level: 1 }).waitFor();
      await operator.getByText('Reading …').first().waitFor({ state: 'detached' });
      await expectHarmless(operator, view);
    }
    await operator.goto(`${url}/console/`);
    await operator.getByText('The message').click();
    await operator.locator('pre').filter({ hasText: HOSTILE }).waitFor(); // as text, whole

    const shop = await operator.context().newPage();
    await shop.goto(`${url}/shop`);
    await shop.evaluate(`localStorage.setItem('checkout-saga:token:${id}', '${order.accessToken}')`);
    await shop.goto(`${url}/shop/orders/${id}`);
    await shop.getByText(HOSTILE.slice(0, 40)).first().waitFor();
    await expectHarmless(shop, 'the shop');
    expect(await desk.complaints()).toEqual([]);
  });
});

async function expectHarmless(page: Page, view: string): Promise<void> {
  const found = await page.evaluate<unknown>(
    `({ hacked: typeof hacked, planted: document.querySelectorAll('img[src="x"], main script, svg[onload], [onerror], a[href^="javascript:"]').length })`,
  );
  expect([view, found]).toEqual([view, { hacked: 'undefined', planted: 0 }]);
}
