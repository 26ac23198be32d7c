import { randomUUID } from 'node:crypto';
import { violations } from '../setup/invariants.js';
import { basket, chargesOf, shelve } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';

/** An instance remembers prices and keys, and another one may have changed them since. */
describe('a checkout that begins with what its instance remembers', () => {
  let here: TestApp;
  let elsewhere: TestApp;
  beforeAll(async () => {
    here = await startTestApp();
    elsewhere = await startTestApp({}, here.database);
  });
  afterAll(async () => {
    expect(await violations(here.database)).toEqual({});
    await elsewhere.close();
    await here.close();
  });

  const checkOut = (test: TestApp, body: unknown, key: string = randomUUID()) =>
    test.api.post('/v1/checkouts', body, { idempotencyKey: key });
  const reprice = async (sku: string, unitAmount: number) => {
    const answer = await elsewhere.api.put(`/v1/skus/${sku}`, {
      name: `Test ${sku}`,
      unitAmount,
      currency: 'EUR',
      onHand: 0,
    });
    expect(answer.status).toBe(200);
  };

  it('costs what the SKU costs now', async () => {
    await shelve(elsewhere.api, 'moving', 1_000, 500);
    expect((await checkOut(here, basket('moving'))).body.total).toBe(500);
    await reprice('moving', 700);
    const after = await checkOut(here, basket('moving'));
    expect([after.status, after.body.total]).toEqual([201, 700]);
    expect(await chargesOf(here.database, after.body.id)).toEqual({ charges: 1, net: 700 });
    await reprice('moving', 900);
    const insisting = await checkOut(here, basket('moving', { expectedTotal: 700 }));
    expect([insisting.status, insisting.body.code, insisting.body.quote.total]).toEqual([409, 'PRICE_CHANGED', 900]);
    await reprice('moving', 1_100);
    const agreeing = await checkOut(here, basket('moving', { expectedTotal: 1_100 }));
    expect([agreeing.status, agreeing.body.total]).toEqual([201, 1_100]);
  });

  it('does not disturb the others of its batch when a price has moved', async () => {
    await Promise.all(['still', 'shifting'].map((sku) => shelve(elsewhere.api, sku, 1_000, 500)));
    for (const sku of ['still', 'shifting']) await checkOut(here, basket(sku));
    await reprice('shifting', 600);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => checkOut(here, basket(n % 2 === 0 ? 'still' : 'shifting'))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(answers.map(({ body }) => body.total)).toEqual(answers.map((_, n) => (n % 2 === 0 ? 500 : 600)));
  });

  it('finds the order of a key that another instance has used', async () => {
    await shelve(here.api, 'once', 10);
    await checkOut(here, basket('once'));
    const key = randomUUID();
    const first = await checkOut(elsewhere, basket('once'), key);
    const again = await checkOut(here, basket('once'), key);
    expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body.id,
      'true',
    ]);
    const other = await checkOut(here, basket('once', { lines: [{ sku: 'once', quantity: 2 }] }), key);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await chargesOf(here.database, first.body.id)).toEqual({ charges: 1, net: 1_000 });
  });

  it('sells what came back elsewhere, and refuses what went away there', async () => {
    await shelve(here.api, 'few', 3);
    expect((await checkOut(here, basket('few'))).status).toBe(201);
    const adjust = (delta: number) =>
      elsewhere.api.post('/v1/skus/few/adjustments', { delta, reason: 'count' }, { key: 'admin' });
    expect((await adjust(-2)).status).toBeLessThan(300);
    const refused = await checkOut(here, basket('few'));
    expect([refused.status, refused.body.code]).toEqual([409, 'OUT_OF_STOCK']);
    expect((await adjust(50)).status).toBeLessThan(300);
    const sold = await Promise.all(Array.from({ length: 60 }, () => checkOut(here, basket('few'))));
    expect(sold.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(sold.filter(({ status }) => status === 409)).toHaveLength(10);
  });
});
