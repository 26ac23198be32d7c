import { startTestApp, TestApp } from '../../setup/test-app.js';
import { newSku, newSkuId, outcomeOf, shelve } from '../../setup/shop.js';
import { hold, stockOf, tally, violations } from './inventory-fixture.js';

describe('SKUs', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  const put = (sku: string, body: object, headers: Record<string, string> = {}) =>
    test.api.put(`/v1/skus/${encodeURIComponent(sku)}`, body, { headers });
  const read = (sku: string) => test.api.get(`/v1/skus/${encodeURIComponent(sku)}`);

  it('creates a SKU with its stock, and afterwards only changes the catalogue data', async () => {
    const sku = newSkuId();
    const created = await put(sku, { name: 'Mug', unitAmount: 1_250, currency: 'EUR', onHand: 7 });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/v1/skus/${sku}`);
    expect(created.body).toEqual({
      sku,
      name: 'Mug',
      unitAmount: 1_250,
      currency: 'EUR',
      group: null,
      onHand: 7,
      reserved: 0,
      available: 7,
      version: 1,
    });
    const changed = await put(sku, { name: 'Cup', unitAmount: 1_300, currency: 'EUR', group: 'ware', onHand: 99 });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ name: 'Cup', unitAmount: 1_300, group: 'ware', onHand: 7, version: 2 });
    const [movement] = await test.database.query(
      'SELECT kind, delta, on_hand_after FROM stock_movements WHERE sku = $1',
      [sku],
    );
    expect(movement).toEqual({ kind: 'INITIAL', delta: 7, on_hand_after: 7 });
  });

  it.each(['cinema:show:12345:seat:A12', 'flight:AA123:2026-11-15:seat:12A', 'books/978-3.16~1', 'a+b@c_d'])(
    'names %s in a URL',
    async (sku) => {
      await shelve(test.api, sku, 1);
      expect((await read(sku)).body.sku).toBe(sku);
    },
  );

  it('lets one of many who create it at once create it', async () => {
    const sku = newSkuId();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => put(sku, { name: 'A', unitAmount: index, currency: 'EUR', onHand: 5 })),
    );
    expect(tally(answers)).toEqual({ 200: 19, 201: 1 });
    expect(await stockOf(test.database, sku)).toEqual({ onHand: 5, reserved: 0 });
    expect(await violations(test.database)).toEqual([]);
  });

  it('refuses a change made from an old version', async () => {
    const sku = await newSku(test.api, 1);
    const etag = (await read(sku)).headers.get('etag')!;
    expect(etag).toBe('"1.1.0"');
    const body = { name: 'Second', unitAmount: 1, currency: 'EUR' };
    const changed = await put(sku, body, { 'if-match': etag });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2.1.0"']);
    const stale = await put(sku, { ...body, name: 'Third' }, { 'if-match': etag });
    expect([stale.status, stale.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await put(sku, body, { 'if-match': 'W/"2.1.0"' })).status).toBe(412);
    expect((await put(sku, body, { 'if-match': '"1", "2"' })).status).toBe(200);
    expect((await put(sku, body, { 'if-match': '*' })).headers.get('etag')).toBe('"2.1.0"');
    expect((await put(newSkuId(), body, { 'if-match': '*' })).status).toBe(412);
    expect((await read(sku)).body.name).toBe('Second');
  });

  it('keeps its version while only the stock moves, so that a SKU that sells can be edited', async () => {
    const sku = await newSku(test.api, 5);
    await hold(test.api, [{ sku, quantity: 2 }]);
    const now = await read(sku);
    expect(now.headers.get('etag')).toBe('"1.5.2"');
    expect(now.body).toMatchObject({ version: 1, onHand: 5, reserved: 2, available: 3 });
    const edit = { name: 'Edited', unitAmount: 1_000, currency: 'EUR' };
    expect((await put(sku, edit, { 'if-match': '"1.5.0"' })).status).toBe(200);
  });

  it('changes the currency only while nothing is reserved', async () => {
    const sku = await newSku(test.api, 5);
    const body = { name: 'A', unitAmount: 1, currency: 'USD' };
    const { body: held } = await hold(test.api, [{ sku, quantity: 1 }]);
    expect((await put(sku, body)).body).toMatchObject({ status: 409, code: 'INVALID_STATE', reserved: 1 });
    await test.api.delete(`/v1/reservations/${held.id}`, { key: 'admin' });
    expect((await put(sku, body)).body.currency).toBe('USD');
  });

  it('shows a seat map of 500 in one answer, and only what is free', async () => {
    const group = newSkuId('show');
    await test.database.query(
      `INSERT INTO skus (sku, name, unit_amount, currency, sku_group, on_hand, reserved)
       SELECT $1 || ':' || seat, 'Seat', 100, 'EUR', $1, 1, seat % 2 FROM generate_series(1, 500) AS seat`,
      [group],
    );
    const all = await test.api.get(`/v1/skus?group=${group}`);
    expect([all.body.items.length, all.body.nextCursor]).toEqual([500, null]);
    const free = await test.api.get(`/v1/skus?group=${group}&available=true&limit=1000`);
    expect(free.body.items).toHaveLength(250);
    await test.database.query('DELETE FROM skus WHERE sku_group = $1', [group]);
  });

  it('pages through a list without gaps or repeats', async () => {
    const group = newSkuId('paged');
    const skus = [];
    for (let index = 0; index < 7; index += 1) skus.push(await newSku(test.api, 1, { group }));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await test.api.get(`/v1/skus?group=${group}&limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.body.items.map(({ sku }: { sku: string }) => sku));
      cursor = page.body.nextCursor;
    }
    expect(seen).toHaveLength(7);
    expect(new Set(seen)).toEqual(new Set(skus));
    expect((await test.api.get('/v1/skus?limit=2')).body.items).toHaveLength(2);
  });

  it.each([
    'limit=0',
    'limit=1001',
    'limit=x',
    'available=maybe',
    'cursor=%20%20',
    'nonsense=1',
    `group=${'g'.repeat(201)}`,
  ])('refuses the list with %s', async (query) => {
    const answer = await test.api.get(`/v1/skus?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('is closed to whoever may not', async () => {
    const body = { name: 'A', unitAmount: 1, currency: 'EUR' };
    expect((await test.api.put('/v1/skus/x', body, { key: 'storefront' })).body.code).toBe('FORBIDDEN');
    expect((await test.api.put('/v1/skus/x', body, { key: 'none' })).body.code).toBe('UNAUTHENTICATED');
    expect((await test.api.post('/v1/skus/x/adjustments', { delta: 1, reason: 'a' })).body.code).toBe('FORBIDDEN');
    expect((await test.api.get('/v1/skus/x', { key: 'none' })).status).toBe(401);
    expect((await read('nobody-sells-this')).body).toMatchObject({
      code: 'SKU_NOT_FOUND',
      skus: ['nobody-sells-this'],
    });
  });
});

describe('stock adjustments', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  const adjust = (sku: string, delta: unknown, options: object = {}) =>
    test.api.post(`/v1/skus/${sku}/adjustments`, { delta, reason: 'stocktake' }, { key: 'admin', ...options });

  it('records who changed what and why', async () => {
    const sku = await newSku(test.api, 10);
    const answer = await adjust(sku, -3);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      sku,
      kind: 'ADJUSTMENT',
      delta: -3,
      reason: 'stocktake',
      onHand: 7,
      reserved: 0,
      available: 7,
    });
    expect(answer.body.actor).toBe('admin'); // the client of all admin keys without a name
    expect(await violations(test.database)).toEqual([]);
  });

  it('acts once per key, also when the answer was a refusal', async () => {
    const sku = await newSku(test.api, 10);
    const first = await adjust(sku, 5, { idempotencyKey: 'adjust-once' });
    const again = await adjust(sku, 5, { idempotencyKey: 'adjust-once' });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await adjust(sku, 6, { idempotencyKey: 'adjust-once' })).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await stockOf(test.database, sku)).onHand).toBe(15);
    expect((await adjust(sku, -99, { idempotencyKey: 'adjust-refused' })).status).toBe(409);
    await adjust(sku, 1_000);
    expect((await adjust(sku, -99, { idempotencyKey: 'adjust-refused' })).status).toBe(409);
  });

  it('never falls below what is reserved', async () => {
    const sku = await newSku(test.api, 10);
    await hold(test.api, [{ sku, quantity: 4 }]);
    const refused = await adjust(sku, -7);
    expect(refused.body).toMatchObject({ code: 'STOCK_BELOW_RESERVED', sku, onHand: 10, reserved: 4, delta: -7 });
    expect((await adjust(sku, -6)).body).toMatchObject({ onHand: 4, available: 0 });
  });

  it('counts every one of 40 concurrent adjustments amid holds', async () => {
    const sku = await newSku(test.api, 100);
    // Whoever hears that the lock is busy asks again: on a slow machine the crowd waits for long.
    const adjustOnce = () => outcomeOf('an adjustment', (idempotencyKey) => adjust(sku, -1, { idempotencyKey }));
    const holdOnce = () =>
      outcomeOf('a hold', (idempotencyKey) => hold(test.api, [{ sku, quantity: 1 }], { idempotencyKey }));
    const answers = await Promise.all([
      ...Array.from({ length: 40 }, adjustOnce),
      ...Array.from({ length: 40 }, holdOnce),
    ]);
    expect(tally(answers)).toEqual({ 201: 80 });
    expect(await stockOf(test.database, sku)).toEqual({ onHand: 60, reserved: 40 });
    expect(await violations(test.database)).toEqual([]);
  });

  it.each([0, 1.5, '1', null, 2_000_000_000])('refuses a delta of %p', async (delta) => {
    const sku = await newSku(test.api, 1);
    const answer = await adjust(sku, delta);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect((await stockOf(test.database, sku)).onHand).toBe(1);
  });

  it('refuses stock beyond the limit, an unknown SKU and a missing key', async () => {
    const sku = await newSku(test.api, 2);
    expect((await adjust(sku, 999_999_999)).body.code).toBe('VALIDATION_FAILED');
    expect((await adjust('nothing-like-it', 1)).body.code).toBe('SKU_NOT_FOUND');
    expect((await adjust(sku, 1, { idempotencyKey: undefined })).body.code).toBe('IDEMPOTENCY_KEY_MISSING');
  });
});
