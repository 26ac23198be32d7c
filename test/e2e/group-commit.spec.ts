import pg from 'pg';
import { violations } from '../setup/invariants.js';
import { basket, shelve } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { createTestDatabase, requiredEnv, type TestDatabase } from '../setup/test-database.js';

const BUYERS = 64;
const CHECKOUTS = 1_600;

/** What this process sends: statements are what a checkout costs in round trips at most, COMMITs are our own writes. */
function countStatements(): { statements: number; commits: number; stop(): void } {
  const { prototype } = pg.Client;
  const { query } = prototype;
  const counter = { statements: 0, commits: 0, stop: () => void (prototype.query = query) };
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    counter.statements += 1;
    if (args[0] === 'COMMIT') counter.commits += 1;
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  return counter;
}

describe('group commit', () => {
  let database: TestDatabase;
  let test: TestApp;
  beforeEach(async () => {
    database = await createTestDatabase();
    test = await startTestApp({ REDIS_URL: requiredEnv('TEST_REDIS_URL') }, database);
  });
  afterEach(() => database.drop());

  it(`costs far fewer commits than checkouts under ${BUYERS} concurrent buyers`, async () => {
    const skus = Array.from({ length: 20 }, (_, number) => `group-${number}`);
    for (const sku of skus) await shelve(test.api, sku, CHECKOUTS);
    const sent = countStatements();
    const before = await transactions(database);
    const since = performance.now();
    let next = 0;
    const statuses = new Map<number, number>();
    const buyer = async () => {
      while (next < CHECKOUTS) {
        const { status } = await test.api.post('/v1/checkouts', basket(skus[(next += 1) % skus.length]!));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: BUYERS }, buyer));
    const seconds = (performance.now() - since) / 1_000;
    sent.stop();
    // A backend reports its commits when it ends, at the latest.
    await test.close();
    const done = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    const all = (await transactions(database)) - before;
    const per = (count: number) => (count / done).toFixed(3);
    process.stdout.write(
      `\n${done} checkouts by ${BUYERS} buyers in ${seconds.toFixed(1)} s, per checkout: ${per(sent.commits)} commits, ` +
        `${per(all)} transactions in pg_stat_database (reads, sandbox and background jobs included), ` +
        `${per(sent.statements)} statements\n`,
    );
    expect([...statuses.keys()]).toEqual([201]);
    expect(sent.commits / done).toBeLessThanOrEqual(0.5);
    expect(all / done).toBeLessThanOrEqual(1);
    expect(await violations(database)).toEqual({});
  }, 120_000);

  it('confirms all others in a batch with one that the database refuses, one sold out and one declined', async () => {
    await database.query(`ALTER TABLE orders ADD CONSTRAINT test_poison CHECK (NOT metadata ? 'poison')`);
    await shelve(test.api, 'shared', 1_000);
    await shelve(test.api, 'sold-out', 0);
    const baskets = Array.from({ length: 40 }, (_, number) => {
      if (number === 7) return basket('shared', { metadata: { poison: true } });
      if (number === 11) return basket('sold-out');
      if (number === 13) return basket('shared', { payment: { method: 'pm_card_chargeDeclined' } });
      return basket('shared');
    });
    const answers = await Promise.all(baskets.map((body) => test.api.post('/v1/checkouts', body)));
    const odd = answers.flatMap(({ status, body }, number) => (status === 201 ? [] : [[number, status, body.code]]));
    expect(odd).toEqual([
      [7, 500, 'INTERNAL_ERROR'],
      [11, 409, 'OUT_OF_STOCK'],
      [13, 402, 'PAYMENT_DECLINED'],
    ]);
    const metrics = (await test.api.get('/metrics', { key: 'admin' })).body as string;
    const stages = Number(/saga_stage_seconds_count\{[^}]*step="create-order"[^}]*\} (\d+)/.exec(metrics)?.[1]);
    process.stdout.write(`\n40 checkouts, one of them poison, took ${stages} first transactions\n`);
    const [row] = await database.query<{ confirmed: number; poisoned: number }>(
      `SELECT count(*) FILTER (WHERE state = 'CONFIRMED')::int AS confirmed,
         count(*) FILTER (WHERE metadata ? 'poison')::int AS poisoned FROM orders`,
    );
    expect(row).toEqual({ confirmed: 37, poisoned: 0 });
    await test.close();
    expect(await violations(database)).toEqual({});
  }, 60_000);
});

/** Committed ones, also those that only read. */
async function transactions(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT xact_commit::int AS count FROM pg_stat_database WHERE datname = current_database()`,
  );
  return row!.count;
}
