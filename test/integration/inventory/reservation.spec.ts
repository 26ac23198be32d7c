import { startTestApp, TestApp } from '../../setup/test-app.js';
import { newSku } from '../../setup/shop.js';
import { hold, stockOf, tally, violations, withToken } from './inventory-fixture.js';

describe('reservations', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ RESERVATION_MAX_EXTENSION_SECONDS: '600', RESERVATION_SWEEP_SECONDS: '3600' });
  });
  afterEach(async () => expect(await violations(test.database)).toEqual([]));
  afterAll(() => test.close());

  const path = ({ body }: { body: { id: string } }) => `/v1/reservations/${body.id}`;
  const change = (id: string, sql: string) => test.database.query(`UPDATE reservations SET ${sql} WHERE id = $1`, [id]);

  it('holds several SKUs at the prices of the catalogue', async () => {
    const mug = await newSku(test.api, 5, { unitAmount: 1_250, name: 'Mug' });
    const cup = await newSku(test.api, 5, { unitAmount: 300, name: 'Cup' });
    const before = Date.now();
    const held = await hold(test.api, [
      { sku: mug, quantity: 1 },
      { sku: cup, quantity: 2 },
      { sku: mug, quantity: 1 },
    ]);
    expect(held.status).toBe(201);
    expect(held.headers.get('location')).toBe(path(held));
    expect(held.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      state: 'HELD',
      currency: 'EUR',
      expiresAt: expect.any(String),
      lines: [
        { sku: mug, name: 'Mug', quantity: 2, unitAmount: 1_250, amount: 2_500 },
        { sku: cup, name: 'Cup', quantity: 2, unitAmount: 300, amount: 600 },
      ],
      total: 3_100,
      totals: [{ type: 'items', label: 'Items', amount: 3_100 }],
      amountDue: 3_100,
      alternative: 0,
      accessToken: expect.any(String),
    });
    const heldFor = Date.parse(held.body.expiresAt) - before;
    expect(Math.abs(heldFor - 900_000)).toBeLessThan(5_000);
    expect(await stockOf(test.database, mug)).toEqual({ onHand: 5, reserved: 2 });
    const read = await test.api.get(path(held), withToken(held));
    expect({ ...read.body, lines: new Set(read.body.lines) }).toEqual({
      ...held.body,
      lines: new Set(held.body.lines),
      accessToken: undefined,
    });
  });

  it('answers a retry with the same hold and token, and refuses another payload', async () => {
    const sku = await newSku(test.api, 5);
    const options = { idempotencyKey: 'hold-once' };
    const first = await hold(test.api, [{ sku, quantity: 1 }], options);
    const again = await hold(test.api, [{ sku, quantity: 1 }], options);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.body).toEqual(first.body);
    const other = await hold(test.api, [{ sku, quantity: 2 }], options);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await stockOf(test.database, sku)).reserved).toBe(1);
    const [stored] = await test.database.query<{ text: string }>(
      `SELECT string_agg(response::text, ' ') AS text FROM idempotency_keys`,
    );
    expect(stored?.text).not.toContain(first.body.accessToken);
  });

  it('holds once for many retries at the same moment', async () => {
    const sku = await newSku(test.api, 50);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => hold(test.api, [{ sku, quantity: 1 }], { idempotencyKey: 'all-at-once' })),
    );
    expect(tally(answers)).toEqual({ 201: 30 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect((await stockOf(test.database, sku)).reserved).toBe(1);
  });

  it('remembers that there was not enough, and names every short SKU', async () => {
    const few = await newSku(test.api, 1);
    const none = await newSku(test.api, 0);
    const many = await newSku(test.api, 100);
    const lines = [few, none, many].map((sku) => ({ sku, quantity: 2 }));
    const refused = await hold(test.api, lines, { idempotencyKey: 'refused-once' });
    expect(refused.status).toBe(409);
    expect(refused.body.shortages).toEqual([
      { sku: few, requested: 2, available: 1 },
      { sku: none, requested: 2, available: 0 },
    ]);
    expect((await stockOf(test.database, many)).reserved).toBe(0);
    for (const sku of [few, none]) {
      await test.api.post(`/v1/skus/${sku}/adjustments`, { delta: 10, reason: 'delivery' }, { key: 'admin' });
    }
    const again = await hold(test.api, lines, { idempotencyKey: 'refused-once' });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([409, 'true']);
    expect(again.body.shortages).toEqual(refused.body.shortages);
    expect((await hold(test.api, lines)).status).toBe(201);
  });

  it('takes the first alternative that can be held whole, and says which', async () => {
    const [a, b, c] = [await newSku(test.api, 1), await newSku(test.api, 0), await newSku(test.api, 5)];
    const alternatives = [
      [
        { sku: a, quantity: 1 },
        { sku: b, quantity: 1 },
      ],
      [
        { sku: a, quantity: 1 },
        { sku: c, quantity: 2 },
      ],
    ];
    const held = await test.api.post('/v1/reservations', { currency: 'EUR', alternatives });
    expect(held.body).toMatchObject({ state: 'HELD', alternative: 1, total: 3_000 });
    expect(await stockOf(test.database, b)).toEqual({ onHand: 0, reserved: 0 });
    const refused = await test.api.post('/v1/reservations', { currency: 'EUR', alternatives });
    expect(refused.body).toMatchObject({ status: 409, shortages: [{ sku: a, requested: 1, available: 0 }] });
  });

  it('is visible only to whoever holds its token, or an admin', async () => {
    const sku = await newSku(test.api, 5);
    const held = await hold(test.api, [{ sku, quantity: 1 }]);
    const stranger = await hold(test.api, [{ sku, quantity: 1 }]);
    const unknown = '/v1/reservations/0190a5d4-0000-7000-8000-000000000000';
    for (const options of [{}, withToken(stranger), { headers: { 'x-access-token': 'x' } }]) {
      for (const answer of [
        await test.api.get(path(held), options),
        await test.api.delete(path(held), options),
        await test.api.post(`${path(held)}/extend`, { seconds: 1 }, options),
        await test.api.get(unknown, options),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([404, 'RESERVATION_NOT_FOUND']);
      }
    }
    expect((await test.api.get(path(held), { key: 'admin' })).status).toBe(200);
    expect((await test.api.get(unknown, { key: 'admin' })).status).toBe(404);
    expect((await test.api.get('/v1/reservations/nonsense', { key: 'admin' })).status).toBe(404);
  });

  it('is released once, however often it is asked', async () => {
    const sku = await newSku(test.api, 5);
    const held = await hold(test.api, [{ sku, quantity: 3 }]);
    const answers = await Promise.all(Array.from({ length: 5 }, () => test.api.delete(path(held), withToken(held))));
    expect(answers.map(({ status, body }) => [status, body.state])).toEqual(Array(5).fill([200, 'RELEASED']));
    expect((await stockOf(test.database, sku)).reserved).toBe(0);
    const extended = await test.api.post(`${path(held)}/extend`, { seconds: 1 }, withToken(held));
    expect([extended.status, extended.body.code]).toEqual([409, 'INVALID_STATE']);
  });

  it('is extended up to the limit of all extensions together', async () => {
    const sku = await newSku(test.api, 5);
    const held = await hold(test.api, [{ sku, quantity: 1 }]);
    const extend = (seconds: unknown) => test.api.post(`${path(held)}/extend`, { seconds }, withToken(held));
    const once = await extend(400);
    expect(Date.parse(once.body.expiresAt) - Date.parse(held.body.expiresAt)).toBe(400_000);
    expect((await extend(201)).body).toMatchObject({ code: 'EXTENSION_LIMIT', remainingSeconds: 200 });
    const racing = await Promise.all(Array.from({ length: 5 }, () => extend(100)));
    expect(tally(racing)).toEqual({ 200: 2, 409: 3 });
    for (const seconds of [0, -1, 1.5, '5', undefined, 100_000]) expect((await extend(seconds)).status).toBe(400);
  });

  it('is over when its time is over, whether or not it was swept', async () => {
    const sku = await newSku(test.api, 5);
    const held = await hold(test.api, [{ sku, quantity: 1 }]);
    await change(held.body.id, `expires_at = now() - interval '1 second'`);
    expect((await test.api.get(path(held), withToken(held))).body.state).toBe('EXPIRED');
    for (const answer of [
      await test.api.post(`${path(held)}/extend`, { seconds: 60 }, withToken(held)),
      await test.api.delete(path(held), withToken(held)),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([410, 'RESERVATION_EXPIRED']);
    }
  });

  it('belongs to the checkout that has taken it', async () => {
    const sku = await newSku(test.api, 5);
    for (const taken of [`pinned_by = gen_random_uuid()`, `order_id = gen_random_uuid()`]) {
      const held = await hold(test.api, [{ sku, quantity: 1 }]);
      await change(held.body.id, taken);
      for (const answer of [
        await test.api.post(`${path(held)}/extend`, { seconds: 60 }, withToken(held)),
        await test.api.delete(path(held), withToken(held)),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([409, 'INVALID_STATE']);
      }
    }
  });
});
