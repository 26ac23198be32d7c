import { eventually } from '../../setup/eventually.js';
import { expectSound } from '../../setup/shop.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';

describe('the flash sale of the demo', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  const open = async () => (await test.api.post('/v1/sandbox/drops', undefined)).body;

  it('is one for everybody who asks, needs a ticket, and is followed by another when it is sold', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, open));
    expect(new Set(answers.map(({ id }) => id as string))).toEqual(new Set(['demo-drop-0001']));
    const [first] = answers;
    expect(first).toMatchObject({ state: 'SCHEDULED', group: first.id, tickets: { issued: 0 } });
    const sku = `${first.id}:print`;
    expect((await test.api.get(`/v1/skus/${sku}`)).body).toMatchObject({ available: 12, group: first.id });
    const lines = [{ sku, quantity: 1 }];
    const refusal = await test.api.post('/v1/reservations', { currency: 'EUR', lines });
    expect(refusal.body).toMatchObject({ code: 'ADMISSION_REQUIRED', saleId: first.id });

    await test.database.query(`UPDATE sales SET starts_at = now() - interval '1 second' WHERE id = $1`, [first.id]);
    await test.api.post(`/v1/skus/${sku}/adjustments`, { delta: -12, reason: 'sold elsewhere' }, { key: 'admin' });
    await eventually('it is sold out', async () => (await test.api.get(`/v1/sales/${first.id}`)).body, {
      until: ({ state }) => state === 'SOLD_OUT',
    });
    const next = await Promise.all([open(), open()]);
    expect(next.map(({ id }) => id as string)).toEqual(['demo-drop-0002', 'demo-drop-0002']);
    expect((await test.api.get(`/v1/sales/${first.id}`)).body.state).toBe('ENDED');
    await expectSound(test.api);
  });

  it('does not exist in production', async () => {
    const shop = await startTestApp({
      NODE_ENV: 'production',
      DATABASE_URL: test.database.url,
      PAYMENT_GATEWAY: 'sandbox',
      SANDBOX_IN_PRODUCTION: 'true',
      PAGES: 'shop',
    });
    expect((await shop.api.post('/v1/sandbox/drops', undefined)).status).toBe(404);
    expect((await (await fetch(`${shop.url}/shop/config.json`)).json()) as object).toMatchObject({ hasDrop: false });
    await shop.close();
  });
});
