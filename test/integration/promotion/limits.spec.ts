import { SignJWT } from 'jose';
import type { ApiClient } from '../../setup/api-client.js';
import { buy } from '../../setup/balances.js';
import { violations } from '../../setup/invariants.js';
import { expectSound, newSkuId, orderOf } from '../../setup/shop.js';
import { startTestApp, type TestApp } from '../../setup/test-app.js';
import { hold, withToken } from '../inventory/inventory-fixture.js';

const admin = { key: 'admin' } as const;
const SECRET = 'jwt-secret-for-tests-of-limits';

async function limitedSku(api: ApiClient, maxPerCustomer: number | null, onHand = 1_000): Promise<string> {
  const sku = newSkuId('limited');
  const body = { name: 'Limited', unitAmount: 1_000, currency: 'EUR', onHand, maxPerCustomer };
  expect((await api.put(`/v1/skus/${sku}`, body)).status).toBe(201);
  return sku;
}

const tokenOf = (customerId: string) =>
  new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(customerId)
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(SECRET));

describe('what a customer may have of a SKU', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ RESERVATION_SWEEP_SECONDS: '3600' });
  });
  afterEach(async () => {
    await expectSound(test.api);
    expect(await violations(test.database)).toEqual({});
  });
  afterAll(() => test.close());

  const lines = (sku: string, quantity: number) => [{ sku, quantity }];

  it('is shown with it, and counts over all orders, by id or by mailbox', async () => {
    const sku = await limitedSku(test.api, 2);
    expect((await test.api.get(`/v1/skus/${sku}`)).body.maxPerCustomer).toBe(2);
    const ada = { customer: { id: 'ada' } };
    expect((await buy(test.api, sku, ada)).status).toBe(201);
    expect((await buy(test.api, sku, ada)).status).toBe(201);
    const third = await buy(test.api, sku, ada);
    expect([third.status, third.body.code]).toEqual([409, 'LIMIT_EXCEEDED']);
    expect(third.body).toMatchObject({ sku, requested: 1, available: 0 });
    expect(await orderOf(test.api, third.body.orderId)).toMatchObject({ state: 'REJECTED' });
    const bob = { customer: { email: 'bob+1@example.com' }, lines: lines(sku, 2) };
    expect((await buy(test.api, sku, bob)).status).toBe(201);
    const again = await buy(test.api, sku, { customer: { email: 'BOB@example.com' } });
    expect(again.body.code).toBe('LIMIT_EXCEEDED');
  });

  it('needs a customer, and is never less than one order has', async () => {
    const sku = await limitedSku(test.api, 2);
    const anonymous = await buy(test.api, sku);
    expect([anonymous.status, anonymous.body.errors?.[0].path]).toEqual([400, 'customer']);
    const greedy = await buy(test.api, sku, { customer: { id: 'eve' }, lines: lines(sku, 3) });
    expect([greedy.status, greedy.body.code]).toEqual([409, 'LIMIT_EXCEEDED']);
    expect((await hold(test.api, lines(sku, 3))).body.code).toBe('LIMIT_EXCEEDED');
  });

  it('comes back with a decline and a cancellation', async () => {
    const sku = await limitedSku(test.api, 1);
    const eve = { customer: { id: 'eve' } };
    expect((await buy(test.api, sku, { ...eve, payment: { method: 'pm_card_chargeDeclined' } })).status).toBe(402);
    const order = await buy(test.api, sku, eve);
    expect(order.status).toBe(201);
    await test.api.post(`/v1/orders/${order.body.id}/cancel`, {}, admin);
    expect((await buy(test.api, sku, eve)).status).toBe(201);
  });

  it('can be raised and lowered: who has more keeps it and gets no more', async () => {
    const sku = await limitedSku(test.api, 2);
    const put = (maxPerCustomer?: number) =>
      test.api.put(`/v1/skus/${sku}`, { name: 'Limited', unitAmount: 1_000, currency: 'EUR', maxPerCustomer });
    const ada = { customer: { id: 'ada-2' } };
    await buy(test.api, sku, { ...ada, lines: lines(sku, 2) });
    await put(3);
    expect((await buy(test.api, sku, ada)).status).toBe(201);
    await put(1);
    expect((await buy(test.api, sku, ada)).body.code).toBe('LIMIT_EXCEEDED');
    expect((await buy(test.api, sku, { customer: { id: 'new' } })).status).toBe(201);
    await put();
    expect((await buy(test.api, sku, { ...ada, lines: lines(sku, 5) })).status).toBe(201);
  });

  it('of a hold without a name counts from the checkout on, for whoever buys it', async () => {
    const sku = await limitedSku(test.api, 2);
    const holds = [await hold(test.api, lines(sku, 2)), await hold(test.api, lines(sku, 1))];
    const [first, second] = holds as [(typeof holds)[0], (typeof holds)[0]];
    const take = (held: typeof first, id: string, method = 'pm_card_visa') =>
      buy(
        test.api,
        sku,
        { lines: undefined, reservationId: held.body.id, customer: { id }, payment: { method } },
        withToken(held),
      );
    expect((await take(first, 'carol')).status).toBe(201);
    expect((await take(second, 'carol')).body.code).toBe('LIMIT_EXCEEDED');
    expect((await take(second, 'dave', 'pm_card_chargeDeclined')).status).toBe(402);
    expect((await take(second, 'erin')).status).toBe(201);
    expect((await buy(test.api, sku, { customer: { id: 'dave' }, lines: lines(sku, 2) })).status).toBe(201);
  });

  it('counts from the hold on for a customer with a JWT, and follows its lines', async () => {
    const jwt = await startTestApp({ RESERVATION_SWEEP_SECONDS: '3600', JWT_SECRET: SECRET }, test.database);
    const sku = await limitedSku(jwt.api, 3);
    const authorization = `Bearer ${await tokenOf('frank')}`;
    const held = await hold(jwt.api, lines(sku, 2), { headers: { authorization } });
    expect(held.status).toBe(201);
    expect((await hold(jwt.api, lines(sku, 2), { headers: { authorization } })).body.code).toBe('LIMIT_EXCEEDED');
    const change = (quantity: number) =>
      jwt.api.put(
        `/v1/reservations/${held.body.id}/lines`,
        { lines: lines(sku, quantity) },
        {
          key: 'storefront',
          ...withToken(held),
        },
      );
    expect((await change(3)).status).toBe(200);
    expect((await hold(jwt.api, lines(sku, 1), { headers: { authorization } })).body.code).toBe('LIMIT_EXCEEDED');
    expect((await change(1)).status).toBe(200);
    const other = await hold(jwt.api, lines(sku, 2), { headers: { authorization } });
    expect(other.status).toBe(201);
    expect((await change(2)).body.code).toBe('LIMIT_EXCEEDED');
    const paid = await buy(
      jwt.api,
      sku,
      { lines: undefined, reservationId: held.body.id },
      { headers: { authorization } },
    );
    expect(paid.status).toBe(201);
    await jwt.api.delete(`/v1/reservations/${other.body.id}`, withToken(other));
    await jwt.close();
  });

  it('holds under 50 attempts of one customer at once', async () => {
    const sku = await limitedSku(test.api, 2);
    const attempts = await Promise.all(
      Array.from({ length: 50 }, () => buy(test.api, sku, { customer: { id: 'crowd' } })),
    );
    const codes = attempts.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim());
    expect(codes.filter((code) => code === '201')).toHaveLength(2);
    expect(codes.filter((code) => code === '409 LIMIT_EXCEEDED')).toHaveLength(48);
  });
});
