import { randomUUID } from 'node:crypto';
import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import type { ApiClient } from '../setup/api-client.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { basket, chargesOf, checkOut, newSku, orderEnded, orderIn, orderOf, outcomeOf } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

const ASKS = 'pm_card_authenticationRequired';
const CANCEL_SECONDS = 3_600;

interface Waiting {
  readonly id: string;
  readonly accessToken: string;
  readonly nextAction: { readonly url: string };
}

const waiting = async (api: ApiClient, sku: string): Promise<Waiting> => {
  const { status, body } = await checkOut(api, sku, ASKS);
  expect(status).toBe(202);
  return body;
};
const cancel = (api: ApiClient, { id, accessToken }: Waiting, key: string = randomUUID()) =>
  api.send('POST', `/v1/orders/${id}/cancel`, undefined, {
    headers: { 'x-access-token': accessToken, prefer: 'wait=25' },
    idempotencyKey: key,
  });
const approve = (api: ApiClient, { nextAction }: Waiting) =>
  api.post(`${new URL(nextAction.url).pathname}/approve`, undefined, { key: 'none' });
const stockOf = async (api: ApiClient, sku: string) => {
  const { onHand, reserved } = (await api.get(`/v1/skus/${sku}`)).body;
  return [onHand, reserved];
};

describe('an order that waits for its customer', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ SANDBOX_AUTHENTICATION_MS: '0', CUSTOMER_CANCEL_SECONDS: String(CANCEL_SECONDS) });
  });
  afterAll(async () => {
    expect(await violations(test.database)).toEqual({});
    await test.close();
  });

  it('is cancelled by its customer: closed at the provider, its stock free, the same again under the same key', async () => {
    const sku = await newSku(test.api, 1);
    const order = await waiting(test.api, sku);
    expect((await cancel(test.api, { ...order, accessToken: 'wrong' })).body.code).toBe('ORDER_NOT_FOUND');
    const key = randomUUID();
    const answer = await cancel(test.api, order, key);
    expect(answer).toMatchObject({
      status: 200,
      body: { state: 'REJECTED', rejection: { code: 'CANCELLED' }, payment: { state: 'DECLINED' } },
    });
    expect(await stockOf(test.api, sku)).toEqual([1, 0]);
    const again = await cancel(test.api, order, key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(await cancel(test.api, order)).toMatchObject({
      status: 409,
      body: { code: 'INVALID_STATE', state: 'REJECTED' },
    });
    await approve(test.api, order);
    expect(await chargesOf(test.database, order.id)).toEqual({ charges: 0, net: 0 });
    expect((await checkOut(test.api, sku)).status).toBe(201);
  });

  it('is cancelled by an admin too, and a hold that the customer made before is the customer’s again', async () => {
    const sku = await newSku(test.api, 1);
    const held = (await test.api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku, quantity: 1 }] })).body;
    const buy = (method: string) =>
      test.api.post(
        '/v1/checkouts',
        { currency: 'EUR', reservationId: held.id, payment: { method } },
        { headers: { 'x-access-token': held.accessToken } },
      );
    const { body: order } = await buy(ASKS);
    const { body } = await test.api.post(`/v1/orders/${order.id}/cancel`, undefined, { key: 'admin' });
    expect(body.rejection).toMatchObject({
      code: 'CANCELLED',
      reservation: { id: held.id, state: 'HELD', expiresAt: held.expiresAt },
    });
    expect((await buy('pm_card_visa')).status).toBe(201);
  });

  it('has one outcome if its customer authenticates at the same moment, and the money agrees with it', async () => {
    const sku = await newSku(test.api, 100);
    const orders = await Promise.all(Array.from({ length: 12 }, () => waiting(test.api, sku)));
    const answers = await Promise.all(
      orders.map(async (order, index) => {
        const [first, second] = [() => approve(test.api, order), () => cancel(test.api, order)] as const;
        const both = index % 2 === 0 ? [first(), second()] : [second(), first()];
        return (await Promise.all(both))[index % 2 === 0 ? 1 : 0]!;
      }),
    );
    const ended = await Promise.all(orders.map(({ id }) => orderEnded(test.api, id)));
    for (const [index, order] of ended.entries()) {
      expect([answers[index]!.status, answers[index]!.body.state]).toEqual([200, order.state]);
      expect(['REJECTED', 'CANCELLED']).toContain(order.state);
      expect((await chargesOf(test.database, order.id)).net).toBe(0);
    }
    expect(await stockOf(test.api, sku)).toEqual([100, 0]);
  });

  it('that is being charged, or processed by the provider, is not cancelled', async () => {
    const { body } = await checkOut(test.api, await newSku(test.api, 1), 'pm_sandbox_processing');
    expect(await cancel(test.api, body)).toMatchObject({
      status: 409,
      body: { code: 'INVALID_STATE', state: 'PENDING' },
    });
    const slow = checkOut(test.api, await newSku(test.api, 1), 'pm_sandbox_slow', { prefer: 'respond-async' });
    const { body: charging } = await slow;
    expect((await cancel(test.api, charging)).status).toBe(409);
    await orderIn(test.api, charging.id, 'CONFIRMED');
    await test.database.query(`UPDATE sandbox.charges SET due_at = now() WHERE state = 'PENDING'`);
    await orderIn(test.api, body.id, 'CONFIRMED');
  });

  it('and one that stands is cancelled by its customer for as long as the shop allows', async () => {
    const sku = await newSku(test.api, 2);
    const [soon, late] = [(await checkOut(test.api, sku)).body, (await checkOut(test.api, sku)).body];
    await test.database.query(`UPDATE orders SET updated_at = updated_at - $2 * interval '1 second' WHERE id = $1`, [
      late.id,
      CANCEL_SECONDS,
    ]);
    expect((await cancel(test.api, soon)).body).toMatchObject({ state: 'CANCELLED', payment: { state: 'REFUNDED' } });
    expect(await cancel(test.api, late)).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } });
    expect((await orderOf(test.api, late.id)).state).toBe('CONFIRMED');
    expect((await test.api.post(`/v1/orders/${late.id}/cancel`, undefined)).body.code).toBe('ORDER_NOT_FOUND');
    expect((await test.api.post(`/v1/orders/${late.id}/cancel`, undefined, { key: 'admin' })).status).toBe(200);
  });
});

describe('a process that is killed while it gives an order up', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const POINTS = [
    'before-commit:cancel-pending',
    'after-commit:cancel-pending',
    'after-call:process-payment:compensate-call',
    'before-commit:process-payment:compensate-call',
    'after-commit:process-payment:compensate-call',
  ];

  it('leaves it to the next one: cancelled once, nothing charged, the hold its customer’s', async () => {
    const settings = {
      DATABASE_URL: database.url,
      SANDBOX_AUTHENTICATION_MS: '0',
      SAGA_LEASE_MS: '1000',
      SAGA_BACKOFF_FACTOR: '0.2',
    };
    const start = (point: string | undefined) =>
      startAppProcess({ ...settings, ...(point && { FAULT_POINT: `${point}=kill@SIGUSR2` }) });
    let app: AppProcess = await start(POINTS[0]);
    try {
      for (const [index, point] of POINTS.entries()) {
        const sku = await newSku(app.api, 1);
        const held = (await app.api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku, quantity: 1 }] })).body;
        const proof = { headers: { 'x-access-token': held.accessToken } };
        const body = { currency: 'EUR', reservationId: held.id, payment: { method: ASKS } };
        const { body: order } = await app.api.post('/v1/checkouts', body, proof);
        const key = randomUUID();
        app.signal('SIGUSR2');
        await eventually(`${point} armed`, () => app.output().includes('armed'));
        await Promise.all([cancel(app.api, order, key).catch(() => undefined), app.exited()]);
        expect(app.output()).toContain(`reached: ${point}`);
        app = await start(POINTS[index + 1]);
        const answer = await outcomeOf(point, () => cancel(app.api, order, key), key);
        expect([point, answer.status, answer.body.rejection?.code]).toEqual([point, 200, 'CANCELLED']);
        expect(answer.body.rejection.reservation).toMatchObject({ id: held.id, state: 'HELD' });
        const paid = { ...body, payment: { method: 'pm_card_visa' } };
        expect((await app.api.post('/v1/checkouts', paid, proof)).status).toBe(201);
      }
      expect(await violations(database)).toEqual({});
    } finally {
      await app.stop('SIGKILL');
    }
  });
});

describe('a customer of a shop that does not allow it', () => {
  it('cannot cancel what stands', async () => {
    const test = await startTestApp();
    try {
      const { body } = await test.api.post('/v1/checkouts', basket(await newSku(test.api, 1)));
      expect(await cancel(test.api, body)).toMatchObject({
        status: 409,
        body: { code: 'INVALID_STATE', state: 'CONFIRMED' },
      });
    } finally {
      await test.close();
    }
  });
});
