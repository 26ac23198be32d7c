import { randomUUID } from 'node:crypto';
import { ApiResponse } from '../setup/api-client.js';
import { KEYS, startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { outcomeOf } from '../setup/shop.js';
import { startTestApp, TestApp } from '../setup/test-app.js';
import { createTestDatabase, requiredEnv, TestDatabase } from '../setup/test-database.js';

/** Two instances of one service: links in their answers are the same. */
const PUBLIC_URL = 'https://shop.example';

const basket = (overrides: object = {}) => ({
  customer: { email: 'ada@example.com' },
  currency: 'EUR',
  lines: [{ sku: 'mug', quantity: 1 }],
  payment: { method: 'pm_card_visa' },
  ...overrides,
});
const slow = basket({ payment: { method: 'pm_sandbox_slow' } });

const isReplay = ({ headers }: ApiResponse) => headers.get('idempotent-replayed') === 'true';
const isNotEmpty = (rows: readonly unknown[]) => rows.length > 0;
const isInProgress = ({ body }: ApiResponse) => body.code === 'IDEMPOTENCY_IN_PROGRESS';

describe('Idempotency-Key', () => {
  let database: TestDatabase;
  let one: TestApp;
  let two: TestApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    one = await startTestApp({ PUBLIC_URL }, database);
    two = await startTestApp({ PUBLIC_URL, REDIS_URL: requiredEnv('TEST_REDIS_URL') }, database);
    for (const sku of ['mug', 'seat'])
      await one.api.put(`/v1/skus/${sku}`, { name: sku, unitAmount: 500, currency: 'EUR', onHand: 10_000 });
    await one.api.put('/v1/skus/last', { name: 'last', unitAmount: 500, currency: 'EUR', onHand: 1 });
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await database.drop();
  });

  const checkOut = (idempotencyKey: string, body: object = basket(), headers = {}, app = one) =>
    app.api.post('/v1/checkouts', body, { idempotencyKey, headers });
  const orders = () => database.query<{ id: string; state: string }>('SELECT id, state FROM orders ORDER BY id');
  const pendingOrders = () => database.query<{ id: string }>(`SELECT id FROM orders WHERE state = 'PENDING'`);
  const charges = () => database.query('SELECT id FROM sandbox.charges');

  /** Counts what the work leaves behind. */
  async function traces(work: () => Promise<unknown>): Promise<{ orders: number; charges: number }> {
    const before = [(await orders()).length, (await charges()).length];
    await work();
    return { orders: (await orders()).length - before[0]!, charges: (await charges()).length - before[1]! };
  }

  describe('the header', () => {
    it.each([
      ['/v1/checkouts', 'storefront', basket()],
      ['/v1/reservations', 'storefront', { currency: 'EUR', lines: [{ sku: 'mug', quantity: 1 }] }],
      ['/v1/skus/mug/adjustments', 'admin', { delta: 1, reason: 'found' }],
      [`/v1/orders/${randomUUID()}/cancel`, 'admin', undefined],
      [`/v1/orders/${randomUUID()}/refunds`, 'admin', { reason: 'broken' }],
    ] as const)('is required by POST %s', async (path, key, body) => {
      const answer = await one.api.send('POST', path, body, { key });
      expect([answer.status, answer.body.code]).toEqual([400, 'IDEMPOTENCY_KEY_MISSING']);
      const empty = await one.api.send('POST', path, body, { key, headers: { 'idempotency-key': '' } });
      expect(empty.body.code).toBe('IDEMPOTENCY_KEY_MISSING');
    });

    it('has 1 to 255 characters of printable ASCII', async () => {
      for (const key of ['x', 'y'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', 'order 4711'])
        expect((await checkOut(key)).status).toBe(201);
      for (const key of ['z'.repeat(256), 'schlüssel', 'tab\there'])
        expect((await checkOut(key)).body).toMatchObject({
          code: 'VALIDATION_FAILED',
          errors: [{ path: 'Idempotency-Key' }],
        });
    });
  });

  describe('the scope', () => {
    it('is the client and the route', async () => {
      const key = randomUUID();
      const made = await traces(async () => {
        const mine = await checkOut(key);
        const admins = await one.api.post('/v1/checkouts', basket(), { key: 'admin', idempotencyKey: key });
        const hold = { currency: 'EUR', lines: [{ sku: 'mug', quantity: 1 }] };
        const held = await one.api.post('/v1/reservations', hold, { idempotencyKey: key });
        expect([mine.status, admins.status, held.status]).toEqual([201, 201, 201]);
        expect(admins.body.id).not.toBe(mine.body.id);
        expect([mine, admins, held].some(isReplay)).toBe(false);
      });
      expect(made).toEqual({ orders: 2, charges: 2 });
    });
  });

  describe('a second request', () => {
    it('gets the answer of the first, on any instance, with its headers and access token', async () => {
      const key = randomUUID();
      const first = await checkOut(key);
      expect(isReplay(first)).toBe(false);
      const made = await traces(async () => {
        for (const app of [one, two]) {
          const again = await checkOut(key, basket(), {}, app);
          expect(again.status).toBe(201);
          expect(isReplay(again)).toBe(true);
          expect(again.body).toEqual(first.body);
          expect(again.headers.get('location')).toBe(`/v1/orders/${first.body.id}`);
        }
      });
      expect(made).toEqual({ orders: 0, charges: 0 });
      const headers = { 'x-access-token': first.body.accessToken as string };
      expect((await one.api.get(`/v1/orders/${first.body.id}`, { headers })).status).toBe(200);
    });

    it('is the same whatever the order of its members, and another with any other value', async () => {
      const key = randomUUID();
      const first = await checkOut(key);
      const { customer, ...rest } = basket();
      const reordered = await checkOut(key, { ...rest, lines: [{ quantity: 1, sku: 'mug' }], customer });
      expect([reordered.status, reordered.body.id]).toEqual([201, first.body.id]);
      const other = await checkOut(key, basket({ lines: [{ sku: 'mug', quantity: 2 }] }));
      expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(isReplay(other)).toBe(false);
    });

    it('is told a definite refusal again, even where it would succeed now', async () => {
      const hold = await one.api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku: 'mug', quantity: 1 }] });
      await database.query(`UPDATE reservations SET expires_at = now() - interval '1 second' WHERE id = $1`, [
        hold.body.id,
      ]);
      const held = { ...basket({ reservationId: hold.body.id }), lines: undefined };
      const token = { 'x-access-token': hold.body.accessToken as string };
      const refusals: [object, number, string, object?][] = [
        [basket({ lines: [{ sku: 'last', quantity: 2 }] }), 409, 'OUT_OF_STOCK'],
        [basket({ payment: { method: 'pm_card_chargeDeclined' } }), 402, 'PAYMENT_DECLINED'],
        [basket({ expectedTotal: 499 }), 409, 'PRICE_CHANGED'],
        [held, 410, 'RESERVATION_EXPIRED', token],
      ];
      for (const [body, status, code, headers] of refusals) {
        const key = randomUUID();
        const first = await checkOut(key, body, headers);
        expect([first.status, first.body.code]).toEqual([status, code]);
        expect(isReplay(first)).toBe(false);
        await one.api.post('/v1/skus/last/adjustments', { delta: 2, reason: 'more' }, { key: 'admin' });
        const again = await checkOut(key, body, headers, two);
        expect({ ...again.body, requestId: '' }).toEqual({ ...first.body, requestId: '' });
        expect([again.status, isReplay(again)]).toEqual([status, true]);
      }
    });

    it('may try again what was refused as a mistake', async () => {
      const key = randomUUID();
      const sku = `new-${randomUUID()}`;
      const body = basket({ lines: [{ sku, quantity: 1 }] });
      expect((await checkOut(key, body)).body.code).toBe('SKU_NOT_FOUND');
      await one.api.put(`/v1/skus/${sku}`, { name: 'New', unitAmount: 1, currency: 'EUR', onHand: 1 });
      expect((await checkOut(key, body)).status).toBe(201);
    });

    it('re-attaches to a checkout that was answered with 202', async () => {
      const key = randomUUID();
      const made = await traces(async () => {
        const first = await checkOut(key, slow, { prefer: 'wait=0' });
        expect(first.status).toBe(202);
        expect(first.headers.get('location')).toBe(`/v1/orders/${first.body.id}`);
        expect(first.headers.get('retry-after')).toBeTruthy();
        const again = await checkOut(key, slow, {}, two);
        expect([again.status, again.body.id, again.body.state]).toEqual([201, first.body.id, 'CONFIRMED']);
      });
      expect(made).toEqual({ orders: 1, charges: 1 });
    });
  });

  it('holds stock once, and tells it again although the catalogue has changed', async () => {
    const key = randomUUID();
    const sku = `moving-${randomUUID()}`;
    const input = { name: 'Moving', unitAmount: 1, currency: 'EUR', onHand: 5 };
    await one.api.put(`/v1/skus/${sku}`, input);
    const hold = { currency: 'EUR', lines: [{ sku, quantity: 1 }] };
    const first = await one.api.post('/v1/reservations', hold, { idempotencyKey: key });
    const headers = { 'x-access-token': first.body.accessToken as string };
    await one.api.delete(`/v1/reservations/${first.body.id}`, { headers });
    await one.api.put(`/v1/skus/${sku}`, { ...input, currency: 'USD' });
    const again = await two.api.post('/v1/reservations', hold, { idempotencyKey: key });
    expect([again.status, isReplay(again), again.body.id]).toEqual([201, true, first.body.id]);
    expect(again.body.accessToken).toBe(first.body.accessToken);
  });

  it('adjusts, refunds and cancels once', async () => {
    const admin = (path: string, body: unknown, idempotencyKey: string, app = one) =>
      app.api.post(path, body, { key: 'admin', idempotencyKey });
    const { id } = (await checkOut(randomUUID())).body;
    const [adjusting, refunding, cancelling] = [randomUUID(), randomUUID(), randomUUID()];
    const adjusted = await Promise.all(
      [one, two, one, two].map((app) => admin('/v1/skus/seat/adjustments', { delta: 7, reason: 'x' }, adjusting, app)),
    );
    expect(adjusted.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(new Set(adjusted.map(({ status, body }) => `${status} ${body.onHand}`))).toEqual(new Set(['201 10007']));
    for (const app of [one, two]) {
      const refund = await admin(`/v1/orders/${id}/refunds`, { amount: 100, reason: 'dent' }, refunding, app);
      expect([refund.status, refund.body.amount]).toEqual([201, 100]);
    }
    for (const app of [one, two]) {
      const cancelled = await admin(`/v1/orders/${id}/cancel`, undefined, cancelling, app);
      expect([cancelled.status, cancelled.body.state]).toEqual([200, 'CANCELLED']);
    }
    const refunds = await database.query('SELECT amount FROM refunds WHERE order_id = $1 ORDER BY amount', [id]);
    expect(refunds.map(({ amount }) => Number(amount))).toEqual([100, 400]);
  });

  describe('requests at the same time', () => {
    it('says that the first is under way, and when to ask again', async () => {
      const key = randomUUID();
      const first = checkOut(key, slow);
      await eventually('the charge', () => database.query(`SELECT 1 FROM payments WHERE state = 'PENDING'`), {
        until: isNotEmpty,
      });
      const second = await checkOut(key, slow, {}, two);
      expect([second.status, second.body.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
      expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
      const { body } = await first;
      const third = await checkOut(key, slow, {}, two);
      expect([third.status, isReplay(third), third.body.id]).toEqual([201, true, body.id]);
    });

    it('50 identical checkouts over two instances make one order and one charge', async () => {
      const key = randomUUID();
      let answers: ApiResponse[] = [];
      const made = await traces(async () => {
        answers = await Promise.all(
          Array.from({ length: 50 }, (_, index) => checkOut(key, basket(), {}, index % 2 === 0 ? one : two)),
        );
      });
      expect(made).toEqual({ orders: 1, charges: 1 });
      const fresh = answers.filter((answer) => answer.status === 201 && !isReplay(answer));
      const replayed = answers.filter((answer) => answer.status === 201 && isReplay(answer));
      const waiting = answers.filter(isInProgress);
      expect(fresh).toHaveLength(1);
      expect(fresh.length + replayed.length + waiting.length).toBe(50);
      for (const { body } of replayed) expect(body).toEqual(fresh[0]!.body);
      for (const { headers } of waiting) expect(headers.get('retry-after')).toBeTruthy();
      expect((await checkOut(key, basket(), {}, two)).body).toEqual(fresh[0]!.body);
    });

    it('that pay for one hold with one key never hear that the hold is gone', async () => {
      const hold = await one.api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku: 'mug', quantity: 1 }] });
      const body = { ...basket({ reservationId: hold.body.id }), lines: undefined };
      const headers = { 'x-access-token': hold.body.accessToken as string };
      const key = randomUUID();
      const waves = Array.from({ length: 30 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 3));
        return checkOut(key, body, headers, index % 2 === 0 ? one : two);
      });
      const answers = await Promise.all(waves);
      const others = answers.filter((answer) => answer.status !== 201 && !isInProgress(answer));
      expect(others.map(({ body }) => body)).toEqual([]);
      expect(new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id)).size).toBe(1);
    });
  });

  describe('a request that was lost', () => {
    it('goes on without its client, who finds the order under the same key', async () => {
      const key = randomUUID();
      const made = await traces(async () => {
        const connection = new AbortController();
        const lost = fetch(`${one.url}/v1/checkouts`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-api-key': KEYS.STOREFRONT_API_KEY,
            'idempotency-key': key,
          },
          body: JSON.stringify(slow),
          signal: connection.signal,
        });
        const [order] = await eventually('the order', pendingOrders, { until: isNotEmpty });
        connection.abort();
        await expect(lost).rejects.toThrow();
        const found = await outcomeOf('the order', () => checkOut(key, slow, {}, two));
        expect([found.status, found.body.id, isReplay(found)]).toEqual([201, order!.id, true]);
      });
      expect(made).toEqual({ orders: 1, charges: 1 });
    });

    it('is taken over when its owner dies: after the lease the key leads to the same order', async () => {
      const key = randomUUID();
      const owner = await startAppProcess({ DATABASE_URL: database.url, SAGA_LEASE_MS: '1000', LOG_LEVEL: 'fatal' });
      const made = await traces(async () => {
        const lost = owner.api.post('/v1/checkouts', slow, { idempotencyKey: key }).catch((error: unknown) => error);
        const [order] = await eventually('the order', pendingOrders, { until: isNotEmpty });
        await owner.stop('SIGKILL');
        expect(await lost).not.toHaveProperty('status');
        const meanwhile = await checkOut(key, slow);
        expect(isInProgress(meanwhile) || meanwhile.body.id === order!.id).toBe(true);
        const found = await outcomeOf('the order', () => checkOut(key, slow));
        expect([found.status, found.body.id, found.body.state]).toEqual([201, order!.id, 'CONFIRMED']);
      });
      expect(made).toEqual({ orders: 1, charges: 1 });
    });
  });

  it('left nothing in disorder', async () => {
    const [stock] = await database.query(`SELECT reserved FROM skus WHERE sku = 'seat'`);
    expect(stock).toEqual({ reserved: 0 });
    expect(await database.query(`SELECT id FROM orders WHERE state = 'PENDING'`)).toEqual([]);
    expect(await database.query(`SELECT order_id FROM sandbox.charges GROUP BY order_id HAVING count(*) > 1`)).toEqual(
      [],
    );
  });
});
