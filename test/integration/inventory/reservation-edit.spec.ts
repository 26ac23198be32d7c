import { randomUUID } from 'node:crypto';
import { newSku } from '../../setup/shop.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { createTestDatabase } from '../../setup/test-database.js';
import { violations as violationsOfAll } from '../../setup/invariants.js';
import { stockOf, violations } from './inventory-fixture.js';

describe('PUT /v1/reservations/{id}/lines', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ RESERVATION_SWEEP_SECONDS: '3600' });
  });
  afterEach(async () => expect(await violations(test.database)).toEqual([]));
  afterAll(() => test.close());

  type Lines = readonly { sku: string; quantity: number }[];
  interface Held {
    readonly id: string;
    readonly accessToken: string;
    readonly expiresAt: string;
  }
  const hold = async (...lines: Lines): Promise<Held> => {
    const { status, body } = await test.api.post('/v1/reservations', { currency: 'EUR', lines });
    expect(status).toBe(201);
    return body;
  };
  const proofOf = ({ accessToken }: Held) =>
    ({ key: 'storefront', headers: { 'x-access-token': accessToken } }) as const;
  const change = (held: Held, lines: Lines, app = test) =>
    app.api.put(`/v1/reservations/${held.id}/lines`, { lines }, proofOf(held));
  const read = async (held: Held) => (await test.api.get(`/v1/reservations/${held.id}`, proofOf(held))).body;

  it('takes, gives back and exchanges; the end does not move', async () => {
    const [a, b] = [await newSku(test.api, 5), await newSku(test.api, 5)];
    const held = await hold({ sku: a, quantity: 2 });
    const answer = await change(held, [
      { sku: a, quantity: 1 },
      { sku: b, quantity: 3 },
    ]);
    expect(answer).toMatchObject({ status: 200, body: { id: held.id, state: 'HELD', total: 4_000 } });
    expect(answer.body.expiresAt).toBe(held.expiresAt);
    expect(await read(held)).toEqual(answer.body);
    expect(await stockOf(test.database, a)).toEqual({ onHand: 5, reserved: 1 });
    expect(await stockOf(test.database, b)).toEqual({ onHand: 5, reserved: 3 });
    expect((await change(held, [{ sku: b, quantity: 5 }])).body.lines).toMatchObject([{ sku: b, quantity: 5 }]);
    expect(await stockOf(test.database, a)).toEqual({ onHand: 5, reserved: 0 });
  });

  it('leaves the hold as it was where the new lines cannot be had', async () => {
    const [a, b] = [await newSku(test.api, 2), await newSku(test.api, 1)];
    const held = await hold({ sku: a, quantity: 2 });
    const before = await read(held);
    const wanted = [
      { sku: a, quantity: 1 },
      { sku: b, quantity: 2 },
    ];
    expect(await change(held, wanted)).toMatchObject({
      status: 409,
      body: { code: 'OUT_OF_STOCK', shortages: [{ sku: b, requested: 2, available: 1 }] },
    });
    expect((await change(held, [{ sku: 'unknown', quantity: 1 }])).body.code).toBe('SKU_NOT_FOUND');
    expect((await change(held, [])).body.code).toBe('VALIDATION_FAILED');
    expect(await read(held)).toEqual(before);
  });

  it('keeps the price of what is kept; more of it costs what it costs now', async () => {
    const sku = await newSku(test.api, 9);
    const held = await hold({ sku, quantity: 2 });
    await test.api.put(`/v1/skus/${sku}`, { name: 'Dearer', unitAmount: 1_500, currency: 'EUR' });
    expect((await change(held, [{ sku, quantity: 1 }])).body.total).toBe(1_000);
    expect((await change(held, [{ sku, quantity: 3 }])).body.total).toBe(4_500);
  });

  it('is for its holder alone, while it is held', async () => {
    const sku = await newSku(test.api, 9);
    const [held, other, over, sold] = [1, 2, 3, 4].map(() => hold({ sku, quantity: 1 }));
    const lines = [{ sku, quantity: 2 }];
    const strange = { ...(await held!), accessToken: (await other!).accessToken };
    expect((await change(strange, lines)).body.code).toBe('RESERVATION_NOT_FOUND');
    await test.database.query(`UPDATE reservations SET expires_at = now() WHERE id = $1`, [(await over!).id]);
    expect((await change(await over!, lines)).body.code).toBe('RESERVATION_EXPIRED');
    await test.database.query(`UPDATE reservations SET order_id = $2 WHERE id = $1`, [(await sold!).id, randomUUID()]);
    expect((await change(await sold!, lines)).body.code).toBe('INVALID_STATE');
  });

  it('loses no unit while many change, buy, hold and release at once, on two instances', async () => {
    const database = await createTestDatabase();
    const apps = await Promise.all([startTestApp({}, database), startTestApp({}, database)]);
    const skus = await Promise.all([1, 2, 3].map(() => newSku(apps[0]!.api, 6)));
    const some = () =>
      skus.filter(() => Math.random() < 0.6).map((sku) => ({ sku, quantity: 1 + (Math.random() > 0.5 ? 1 : 0) }));
    const lines = () => some().concat({ sku: skus[0]!, quantity: 1 }).slice(0, 2);
    const shopper = async (app: TestApp, rival: TestApp): Promise<string[]> => {
      const held = await app.api.post('/v1/reservations', { currency: 'EUR', lines: lines() });
      if (held.status !== 201) return [held.body.code];
      const proof = proofOf(held.body);
      const buy = () =>
        rival.api.post(
          '/v1/checkouts',
          { currency: 'EUR', reservationId: held.body.id, payment: { method: 'pm_card_visa' } },
          { headers: proof.headers },
        );
      const release = () => app.api.delete(`/v1/reservations/${held.body.id}`, proof);
      const answers = await Promise.all([
        change(held.body, lines(), app),
        change(held.body, lines(), rival),
        Math.random() < 0.5 ? buy() : release(),
        change(held.body, lines(), app),
      ]);
      await release();
      return answers.map(({ status, body }) => (status < 300 ? 'done' : body.code));
    };
    const outcomes = await Promise.all(Array.from({ length: 24 }, (_, n) => shopper(apps[n % 2]!, apps[(n + 1) % 2]!)));
    const allowed = new Set(['done', 'OUT_OF_STOCK', 'INVALID_STATE', 'PRICE_CHANGED', 'LOCK_TIMEOUT']);
    expect(outcomes.flat().filter((code) => !allowed.has(code))).toEqual([]);
    expect(outcomes.flat()).toContain('done');
    expect(await violationsOfAll(database)).toEqual({});
    const rows = await database.query<{ reserved: number }>(`SELECT sum(reserved)::int AS reserved FROM skus`);
    expect(rows).toEqual([{ reserved: 0 }]);
    for (const app of apps) await app.close();
    await database.drop();
  });

  it('sells what the hold was changed to in the middle of a checkout to nobody at the old price', async () => {
    const sku = await newSku(test.api, 9);
    const held = await hold({ sku, quantity: 1 });
    const buy = () =>
      test.api.post(
        '/v1/checkouts',
        { currency: 'EUR', reservationId: held.id, payment: { method: 'pm_card_visa' } },
        { headers: proofOf(held).headers },
      );
    const [bought, changed] = await Promise.all([buy(), change(held, [{ sku, quantity: 5 }])]);
    const total = changed!.status === 200 ? 5_000 : 1_000;
    if (bought!.status === 201) expect(bought!.body.total).toBe(total);
    else expect(bought!.body).toMatchObject({ code: 'PRICE_CHANGED', quote: { total: 5_000 } });
  });
});
