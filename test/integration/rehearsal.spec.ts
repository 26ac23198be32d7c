import { KEYS } from '../setup/app-process.js';
import { basket, checkOut, expectSound, ledgerOf, newSku, orderEnded } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';

const admin = { key: 'admin' } as const;

describe('what tests of a shop may ask of the sandbox', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ SAGA_BACKOFF_FACTOR: '0.05', SANDBOX_AUTHENTICATION_MS: '0' });
  });
  afterAll(() => test.close());

  const post = (path: string, body?: unknown) => test.api.post(path, body, admin);
  const script = (...next: object[]) => test.api.put('/v1/sandbox/faults', { next });
  const left = async () => (await test.api.get('/v1/sandbox/faults', admin)).body.next;

  it('forgets everything but the demo catalogue, prices in memory included', async () => {
    const sku = await newSku(test.api, 5, { unitAmount: 100 });
    await test.api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku, quantity: 1 }] });
    expect((await checkOut(test.api, sku)).body.total).toBe(100);
    expect((await checkOut(test.api, sku, 'pm_card_authenticationRequired')).status).toBe(202);
    await post('/v1/webhook-endpoints', { url: 'https://shop.example.com/hooks' });
    expect((await post('/v1/sandbox/reset')).body.tables).toBeGreaterThan(5);
    for (const list of ['orders', 'sagas', 'webhook-endpoints', 'webhook-events']) {
      expect([list, (await test.api.get(`/v1/${list}`, admin)).body.items]).toEqual([list, []]);
    }
    expect((await test.api.get(`/v1/skus/${sku}`)).body.code).toBe('SKU_NOT_FOUND');
    await test.api.put(`/v1/skus/${sku}`, { name: 'Dearer', unitAmount: 900, currency: 'EUR', onHand: 1 });
    expect((await checkOut(test.api, sku)).body).toMatchObject({ state: 'CONFIRMED', total: 900 });
    expect((await checkOut(test.api, 'demo-last-one')).body.state).toBe('CONFIRMED');
    await expectSound(test.api);
    expect((await post('/v1/sandbox/reset')).status).toBe(200);
    expect((await post('/v1/sandbox/reset')).status).toBe(200);
  });

  it('ends a hold at once, and only one that is held', async () => {
    const sku = await newSku(test.api, 1);
    const hold = await test.api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku, quantity: 1 }] });
    const reservationId = hold.body.id as string;
    expect((await post('/v1/sandbox/expire', { reservationId })).body).toMatchObject({ state: 'EXPIRED' });
    expect((await test.api.get(`/v1/skus/${sku}`)).body.available).toBe(1);
    expect((await post('/v1/sandbox/expire', { reservationId })).body.code).toBe('INVALID_STATE');
    const nobody = { reservationId: '0199c8f0-6b2f-7d4c-8e3f-5a7b9c1d2e3f' };
    expect((await post('/v1/sandbox/expire', nobody)).body.code).toBe('RESERVATION_NOT_FOUND');
  });

  it('follows a script, in order per operation, and charges once whatever it says', async () => {
    const sku = await newSku(test.api, 10);
    const charge = (effect: string) => ({ operation: 'charge', effect });
    await script(
      charge('decline'),
      { operation: 'refund', effect: 'error-after' },
      charge('error-after'),
      charge('slow'),
    );
    expect((await checkOut(test.api, sku)).body.code).toBe('PAYMENT_DECLINED');
    const order = (await checkOut(test.api, sku)).body;
    expect(order.state).toBe('CONFIRMED');
    expect(await left()).toEqual([{ operation: 'refund', effect: 'error-after' }, charge('slow')]);
    const refund = await post(`/v1/orders/${order.id}/refunds`, { reason: 'a test' });
    expect(refund.body.state).toBe('SETTLED');
    expect(await ledgerOf(test.api, order.id)).toMatchObject([{ amount: 1_000, refundedAmount: 1_000 }]);
    expect(await left()).toEqual([charge('slow')]);
    expect((await script({ operation: 'refund', effect: 'decline' })).body.code).toBe('VALIDATION_FAILED');
    await expectSound(test.api);
  });

  it('has outages in which every attempt fails and none takes effect', async () => {
    const sku = await newSku(test.api, 1);
    await test.api.put('/v1/sandbox/faults', { chargeErrorRate: 1 });
    const refused = await checkOut(test.api, sku);
    const order = await orderEnded(test.api, refused.body.orderId ?? refused.body.id);
    expect([order.state, order.rejection.code]).toEqual(['REJECTED', 'DEPENDENCY_UNAVAILABLE']);
    expect(await ledgerOf(test.api, order.id)).toEqual([]);
    await test.api.put('/v1/sandbox/faults', {});
    expect((await checkOut(test.api, sku)).body.state).toBe('CONFIRMED');
  });

  it('is not there in production, nor for a storefront', async () => {
    expect((await test.api.post('/v1/sandbox/reset', undefined)).body.code).toBe('FORBIDDEN');
    const production = await startTestApp({
      NODE_ENV: 'production',
      PAYMENT_GATEWAY: 'sandbox',
      SANDBOX_IN_PRODUCTION: 'true',
      DATABASE_URL: test.database.url,
      ACCESS_TOKEN_SECRET: KEYS.ACCESS_TOKEN_SECRET.repeat(2),
      SHUTDOWN_DELAY_MS: '0',
    });
    try {
      for (const verb of ['reset', 'expire']) {
        const { status } = await production.api.post(`/v1/sandbox/${verb}`, basket('x'), admin);
        expect([verb, status]).toEqual([verb, 404]);
      }
      expect((await production.api.get('/v1/sandbox/faults', admin)).status).toBe(404);
      expect((await production.api.put('/v1/sandbox/faults', {})).status).toBe(404);
      expect((await production.api.get('/v1/overview', admin)).body.isSandbox).toBe(false);
    } finally {
      await production.close();
    }
  });
});
