import { newSkuId } from '../../setup/shop.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { tally, violations } from './inventory-fixture.js';

describe('a reservation of the best seats', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  const hall = async (rows: Readonly<Record<string, number>>) => {
    const group = newSkuId('hall');
    const seats = Object.entries(rows).flatMap(([row, length]) =>
      Array.from({ length }, (_, index) => ({ row, number: index + 1 })),
    );
    await Promise.all(
      seats.map(({ row, number }) => {
        const body = { name: 'Seat', unitAmount: 1_000, currency: 'EUR', group, row, number, onHand: 1 };
        return test.api.put(`/v1/skus/${group}:${row}${number}`, body);
      }),
    );
    return group;
  };
  const reserve = (bestAvailable: object, idempotencyKey?: string) =>
    test.api.post(
      '/v1/reservations',
      { currency: 'EUR', bestAvailable },
      idempotencyKey === undefined ? {} : { idempotencyKey },
    );
  const placesOf = (body: { lines: { sku: string }[] }) => body.lines.map(({ sku }) => sku.split(':')[1]);

  it('holds them side by side, then the next best, then offers what is left', async () => {
    const group = await hall({ A: 5, B: 3 });
    const wish = { group, quantity: 3, adjacent: true };
    const first = await reserve(wish, 'best-1');
    expect([first.status, placesOf(first.body)]).toEqual([201, ['A2', 'A3', 'A4']]);
    expect(first.body).toMatchObject({ state: 'HELD', total: 3_000 });
    expect(placesOf((await reserve(wish)).body)).toEqual(['B1', 'B2', 'B3']);
    const none = await reserve(wish, 'best-3');
    expect(none.body).toMatchObject({
      status: 409,
      code: 'OUT_OF_STOCK',
      shortages: [{ sku: group, requested: 3, available: 2 }],
      alternatives: [[{ sku: `${group}:A1` }, { sku: `${group}:A5` }]],
    });
    const apart = await reserve({ group, quantity: 2 });
    expect([apart.status, placesOf(apart.body)]).toEqual([201, ['A1', 'A5']]);
    const replays = [await reserve(wish, 'best-1'), await reserve(wish, 'best-3')];
    expect(replays.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual([
      [201, 'true'],
      [409, 'true'],
    ]);
    expect(placesOf(replays[0]!.body)).toEqual(['A2', 'A3', 'A4']);
    expect((await reserve({ group: 'nowhere', quantity: 1 })).body.code).toBe('SKU_NOT_FOUND');
    const both = { currency: 'EUR', lines: [{ sku: 'a', quantity: 1 }], bestAvailable: { group, quantity: 1 } };
    expect((await test.api.post('/v1/reservations', both)).status).toBe(400);
  });

  it('gives everybody other seats when all come at once, and refuses who is too late', async () => {
    const group = await hall({ A: 10, B: 10 });
    const answers = await Promise.all(Array.from({ length: 30 }, () => reserve({ group, quantity: 1 })));
    const held = answers.filter(({ status }) => status === 201);
    expect(tally(answers)).toEqual({ 201: 20, 409: 10 });
    expect(new Set(held.flatMap(({ body }) => placesOf(body))).size).toBe(20);
    expect(await violations(test.database)).toEqual([]);
  });
});
