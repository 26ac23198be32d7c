import { randomUUID } from 'node:crypto';
import { basket, shelve } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';

const line = (overrides: Record<string, unknown>) =>
  basket('mug', { lines: [{ sku: 'mug', quantity: 1, ...overrides }] });

const CARD = '4242424242424242';
const BAD: readonly (readonly [string, unknown, string])[] = [
  ['no lines', { ...basket('mug'), lines: [] }, 'lines'],
  ['neither lines nor a reservation', { ...basket('mug'), lines: undefined }, 'lines'],
  ['a negative quantity', line({ quantity: -1 }), 'lines.0.quantity'],
  ['a zero quantity', line({ quantity: 0 }), 'lines.0.quantity'],
  ['a fractional quantity', line({ quantity: 1.5 }), 'lines.0.quantity'],
  ['a huge quantity', line({ quantity: 1e9 }), 'lines.0.quantity'],
  ['a quantity as text', line({ quantity: '1' }), 'lines.0.quantity'],
  ['an empty SKU', line({ sku: '' }), 'lines.0.sku'],
  ['a SKU of 10,000 characters', line({ sku: 'x'.repeat(10_000) }), 'lines.0.sku'],
  ['a SKU with a NUL', line({ sku: 'a\u0000b' }), 'lines.0.sku'],
  ['an unknown member in a line', line({ price: 1 }), 'lines.0'],
  ['1,000 lines', basket('', { lines: Array(1_000).fill({ sku: 'mug', quantity: 1 }) }), 'lines'],
  ['a currency in lower case', basket('mug', { currency: 'eur' }), 'currency'],
  ['a currency that nobody has', basket('mug', { currency: 'XYZ' }), 'currency'],
  ['no currency', { ...basket('mug'), currency: undefined }, 'currency'],
  ['a payment without a method', basket('mug', { payment: {} }), 'payment.method'],
  ['a card number in a payment', basket('mug', { payment: { method: 'x', number: '4242' } }), 'payment'],
  ['a card number for a method', basket('mug', { payment: { method: CARD } }), 'payment.method'],
  ['a spaced card number', basket('mug', { payment: { method: '4242 4242 4242 4242' } }), 'payment.method'],
  ['a card number in a token', basket('mug', { payment: { method: `card:${CARD}` } }), 'payment.method'],
  ['a card number in metadata', basket('mug', { metadata: { note: `charge ${CARD} 12/27` } }), 'metadata.note'],
  ['a card number as a number', basket('mug', { metadata: { card: Number(CARD) } }), 'metadata.card'],
  ['a card number as a name', basket('mug', { metadata: { [CARD]: true } }), 'metadata.[hidden]'],
  ['a negative expected total', basket('mug', { expectedTotal: -1 }), 'expectedTotal'],
  ['a fractional expected total', basket('mug', { expectedTotal: 0.5 }), 'expectedTotal'],
  ['an address that is none', basket('mug', { customer: { email: 'ada' } }), 'customer.email'],
  ['nested metadata', basket('mug', { metadata: { a: { b: 1 } } }), 'metadata.a'],
  ['a long metadata value', basket('mug', { metadata: { a: 'x'.repeat(1_001) } }), 'metadata.a'],
  ['too much metadata', basket('mug', { metadata: Object.fromEntries(keys(10)) }), 'metadata'],
  ['more bytes of metadata than characters', basket('mug', { metadata: scripts(1_000, 400) }), 'metadata'],
  ['a reservation id that is none', { ...basket('mug'), lines: undefined, reservationId: 'x' }, 'reservationId'],
  ['a card number for a member', basket('mug', { [CARD]: 1 }), ''],
  ['an unknown member', basket('mug', { total: 1 }), ''],
  ['an array', [], ''],
];

function keys(count: number): [string, string][] {
  return Array.from({ length: count }, (_, number) => [`key-${number}`, 'x'.repeat(999)]);
}

/** Three bytes each. */
function scripts(...lengths: number[]): Record<string, string> {
  return Object.fromEntries(lengths.map((length, number) => [`k${number}`, '本'.repeat(length)]));
}

describe('bad input to a checkout', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
    await shelve(test.api, 'mug', 10);
    await test.api.put('/v1/skus/dollars', { name: 'US', unitAmount: 100, currency: 'USD', onHand: 5 });
  });
  afterAll(async () => {
    const [row] = await test.database.query(
      `SELECT (SELECT count(*)::int FROM orders) AS orders, (SELECT count(*)::int FROM sagas) AS sagas,
         (SELECT sum(reserved)::int FROM skus) AS reserved, (SELECT count(*)::int FROM sandbox.charges) AS charges`,
    );
    expect(row).toEqual({ orders: 0, sagas: 0, reserved: 0, charges: 0 });
    await test.close();
  });

  it.each(BAD)('%s is refused and named', async (_, body, path) => {
    const answer = await test.api.post('/v1/checkouts', body);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body.code).toBe('VALIDATION_FAILED');
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
    expect(JSON.stringify(answer.body)).not.toMatch(/4242.?4242/);
  });

  it('a SKU that does not exist, or that is sold in another currency', async () => {
    expect(await test.api.post('/v1/checkouts', basket('nothing'))).toMatchObject({
      status: 404,
      body: { code: 'SKU_NOT_FOUND' },
    });
    expect(await test.api.post('/v1/checkouts', basket('dollars'))).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    });
  });

  it('a request without its key, with one that is too long, or that is not JSON', async () => {
    const send = (body: unknown, headers: Record<string, string>, key?: string) =>
      test.api.send('POST', '/v1/checkouts', body, { headers, ...(key !== undefined && { idempotencyKey: key }) });
    expect((await send(basket('mug'), {})).body.code).toBe('IDEMPOTENCY_KEY_MISSING');
    expect((await send(basket('mug'), {}, 'x'.repeat(256))).body.code).toBe('VALIDATION_FAILED');
    expect((await send('{"currency":', {}, randomUUID())).status).toBe(400);
    expect((await send('<cart/>', { 'content-type': 'application/xml' }, randomUUID())).body.code).toBe(
      'UNSUPPORTED_MEDIA_TYPE',
    );
    const huge = basket('mug', { metadata: { a: 'x'.repeat(300_000) } });
    expect((await send(huge, {}, randomUUID())).body.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('a request without a key to the API', async () => {
    const answer = await test.api.post('/v1/checkouts', basket('mug'), { key: 'none' });
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });
});
