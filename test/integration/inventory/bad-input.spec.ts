import { startTestApp, TestApp } from '../../setup/test-app.js';
import { newSku, shelve } from '../../setup/shop.js';
import { stockOf } from './inventory-fixture.js';

const SKU = 'good';
const line = (overrides: object) => ({ currency: 'EUR', lines: [{ sku: SKU, quantity: 1, ...overrides }] });

describe('bad input changes nothing', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
    await shelve(test.api, SKU, 1_000_000);
    await shelve(test.api, 'dollars', 10, undefined, { currency: 'USD' });
  });
  afterEach(async () => {
    expect(await stockOf(test.database, SKU)).toEqual({ onHand: 1_000_000, reserved: 0 });
    expect(await test.database.query('SELECT 1 FROM reservations')).toEqual([]);
  });
  afterAll(() => test.close());

  const bodies: [string, unknown, number, string][] = [
    ['a negative quantity', line({ quantity: -1 }), 400, 'VALIDATION_FAILED'],
    ['no quantity', line({ quantity: 0 }), 400, 'VALIDATION_FAILED'],
    ['a huge quantity', line({ quantity: 10_001 }), 400, 'VALIDATION_FAILED'],
    ['a quantity beyond integers', line({ quantity: 1e300 }), 400, 'VALIDATION_FAILED'],
    ['a fraction', line({ quantity: 1.5 }), 400, 'VALIDATION_FAILED'],
    ['a quantity as text', line({ quantity: '1' }), 400, 'VALIDATION_FAILED'],
    ['an unknown SKU', line({ sku: 'unknown' }), 404, 'SKU_NOT_FOUND'],
    ['a SKU of 10,000 characters', line({ sku: 'x'.repeat(10_000) }), 400, 'VALIDATION_FAILED'],
    ['a SKU with a NUL', line({ sku: 'a\u0000b' }), 400, 'VALIDATION_FAILED'],
    ['a price of its own', line({ unitAmount: 1 }), 400, 'VALIDATION_FAILED'],
    [
      'mixed currencies',
      { currency: 'EUR', lines: [...line({}).lines, { sku: 'dollars', quantity: 1 }] },
      400,
      'VALIDATION_FAILED',
    ],
    ['another currency', { ...line({}), currency: 'USD' }, 400, 'VALIDATION_FAILED'],
    ['a currency that is none', { ...line({}), currency: 'euro' }, 400, 'VALIDATION_FAILED'],
    ['a currency that nobody has', { ...line({}), currency: 'ABC' }, 400, 'VALIDATION_FAILED'],
    ['no lines', { currency: 'EUR', lines: [] }, 400, 'VALIDATION_FAILED'],
    ['1,000 lines', { currency: 'EUR', lines: Array(1_000).fill(line({}).lines[0]) }, 400, 'VALIDATION_FAILED'],
    ['neither lines nor alternatives', { currency: 'EUR' }, 400, 'VALIDATION_FAILED'],
    ['an array', [line({})], 400, 'VALIDATION_FAILED'],
    ['null', 'null', 400, 'VALIDATION_FAILED'],
    ['broken JSON', '{"currency":', 400, 'VALIDATION_FAILED'],
    ['a prototype', '{"__proto__":{"a":1},"currency":"EUR","lines":[]}', 400, 'VALIDATION_FAILED'],
    ['a body beyond the limit', `"${'x'.repeat(300_000)}"`, 413, 'PAYLOAD_TOO_LARGE'],
  ];

  for (const route of ['/v1/reservations', '/v1/checkouts/quote']) {
    it.each(bodies)(`${route} refuses %s`, async (_, body, status, code) => {
      const answer = await test.api.post(route, body);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    });

    it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])(
      `${route} refuses %s`,
      async (type) => {
        const answer = await test.api.post(route, 'a=1', { headers: { 'content-type': type } });
        expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      },
    );
  }

  const { lines } = line({});
  it.each([
    ['both lines and alternatives', { currency: 'EUR', lines, alternatives: [lines] }],
    ['no alternatives', { currency: 'EUR', alternatives: [] }],
    ['an alternative without lines', { currency: 'EUR', alternatives: [lines, []] }],
    ['21 alternatives', { currency: 'EUR', alternatives: Array(21).fill(lines) }],
  ])('a reservation refuses %s', async (_, body) => {
    expect((await test.api.post('/v1/reservations', body)).body.code).toBe('VALIDATION_FAILED');
  });

  it('a reservation needs a key, of at most 255 characters', async () => {
    const missing = await test.api.post('/v1/reservations', line({}), { idempotencyKey: undefined as never });
    expect(missing.body.code).toBe('IDEMPOTENCY_KEY_MISSING');
    const long = await test.api.post('/v1/reservations', line({}), { idempotencyKey: 'k'.repeat(256) });
    expect(long.body.code).toBe('VALIDATION_FAILED');
  });

  it('names every unknown SKU', async () => {
    const body = { currency: 'EUR', lines: ['x', SKU, 'y'].map((sku) => ({ sku, quantity: 1 })) };
    expect((await test.api.post('/v1/checkouts/quote', body)).body.skus).toEqual(['x', 'y']);
  });

  it.each([
    { name: '' },
    { name: 'a\u0000b' },
    { name: 'n'.repeat(201) },
    { unitAmount: -1 },
    { unitAmount: 1.5 },
    { unitAmount: 1_000_000_001 },
    { currency: 'eur' },
    { currency: 'ABC' },
    { currency: 'XXX' },
    { onHand: -1 },
    { onHand: 1e10 },
    { group: ' ' },
    { surprise: true },
  ])('PUT /v1/skus refuses %j', async (wrong) => {
    const body = { name: 'A', unitAmount: 1, currency: 'EUR', ...wrong };
    const answer = await test.api.put('/v1/skus/new-one', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect((await test.api.get('/v1/skus/new-one')).status).toBe(404);
  });

  it.each([' ', 'a b', '-a', 'a%00', 'ü', 'x'.repeat(201)])('PUT /v1/skus refuses the name %p', async (sku) => {
    const body = { name: 'A', unitAmount: 1, currency: 'EUR' };
    expect((await test.api.put(`/v1/skus/${encodeURIComponent(sku)}`, body)).status).toBe(400);
  });
});

describe('quotes', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  it('prices merged lines and says what is available, without any effect', async () => {
    const a = await newSku(test.api, 3, { unitAmount: 250, name: 'A' });
    const b = await newSku(test.api, 1, { unitAmount: 100, name: 'B' });
    const ask = (quantityOfB: number) =>
      test.api.post('/v1/checkouts/quote', {
        currency: 'EUR',
        lines: [
          { sku: a, quantity: 1 },
          { sku: b, quantity: quantityOfB },
          { sku: a, quantity: 2 },
        ],
      });
    const good = await ask(1);
    expect([good.status, good.body]).toEqual([
      200,
      {
        lines: [
          { sku: a, name: 'A', quantity: 3, unitAmount: 250, amount: 750, available: 3 },
          { sku: b, name: 'B', quantity: 1, unitAmount: 100, amount: 100, available: 1 },
        ],
        totals: [{ type: 'items', label: 'Items', amount: 850 }],
        total: 850,
        amountDue: 850,
        currency: 'EUR',
        available: true,
      },
    ]);
    expect((await ask(2)).body).toMatchObject({ available: false, total: 950 });
    expect(await stockOf(test.database, a)).toEqual({ onHand: 3, reserved: 0 });
    expect(await test.database.query('SELECT 1 FROM idempotency_keys')).toEqual([]);
  });
});
