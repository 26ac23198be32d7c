import { basket, shelve } from '../setup/shop.js';
import { startTestApp } from '../setup/test-app.js';
import { createTestDatabase } from '../setup/test-database.js';

const BUYERS = 24;
const ROUNDS = 8;
/** With all of a batch on one page nearly all fit; a tenth is room for rows of an unusual size. */
const SHARE = 0.9;

describe('updates under load', () => {
  it('stay on their page: no index entry is written a second time', async () => {
    const database = await createTestDatabase();
    const test = await startTestApp({}, database);
    await shelve(test.api, 'mug', 10_000);
    await shelve(test.api, 'cup', 10_000);
    const lines = [
      { sku: 'mug', quantity: 1 },
      { sku: 'cup', quantity: 2 },
    ];
    const buy = async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { status } = await test.api.post('/v1/checkouts', basket('mug', { lines }));
        expect(status).toBe(201);
      }
    };
    await Promise.all(Array.from({ length: BUYERS }, buy));
    await test.close(); // sessions report what they counted when they end
    const rows = await database.query<{ name: string; updates: number; share: number }>(
      `SELECT relname AS name, n_tup_upd::int AS updates, n_tup_hot_upd / greatest(n_tup_upd, 1)::float8 AS share
       FROM pg_stat_user_tables WHERE relname IN ('sagas', 'reservations', 'orders', 'payments') ORDER BY 1`,
    );
    process.stdout.write(`HOT: ${rows.map(({ name, share }) => `${name} ${(share * 100).toFixed(0)} %`).join(', ')}\n`);
    expect(rows.map(({ name }) => name)).toEqual(['orders', 'payments', 'reservations', 'sagas']);
    for (const { updates } of rows) expect(updates).toBeGreaterThanOrEqual(BUYERS * ROUNDS);
    expect(rows.filter(({ share }) => share < SHARE)).toEqual([]);
    await database.drop();
  });
});
