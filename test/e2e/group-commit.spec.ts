import { setTimeout as delay } from 'node:timers/promises';
import { Load, plan } from '../../bench/load.js';
import type { ApiClient } from '../setup/api-client.js';
import { startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { basket, shelve } from '../setup/shop.js';
import { startTestApp, type TestApp } from '../setup/test-app.js';
import { createTestDatabase, requiredEnv, type TestDatabase } from '../setup/test-database.js';

const BUYERS = 64;
/** Enough for what it costs to begin not to count. */
const CHECKOUTS = 2_000;

describe('group commit', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it(`costs far fewer commits than checkouts under ${BUYERS} concurrent buyers`, async () => {
    // Processes of their own: buyers that share an event loop with the service, or with Jest, do not come as a crowd.
    const { api, url, stop } = await startAppProcess({
      DATABASE_URL: database.url,
      REDIS_URL: requiredEnv('TEST_REDIS_URL'),
    });
    const skus = Array.from({ length: 20 }, (_, number) => `group-${number}`);
    for (const sku of skus) await shelve(api, sku, 1_000_000);
    const before = await costs(api, database);
    const load = Load.start(plan(Number(new URL(url).port), { connections: BUYERS, skus, linesPerOrder: 1 }));
    await load.running();
    const since = performance.now();
    await eventually('enough checkouts', () => confirmed(database), {
      until: (count) => count >= CHECKOUTS,
      everyMs: 250,
    });
    const { statuses, lost } = await load.stop();
    const seconds = (performance.now() - since) / 1_000;
    const after = await costs(api, database);
    const done = statuses['201'] ?? 0;
    const per = (what: keyof Costs) => (after[what] - before[what]) / done;
    process.stdout.write(
      `\n${done} checkouts by ${BUYERS} buyers in ${seconds.toFixed(1)} s, per checkout: ` +
        `${per('commits').toFixed(3)} commits of ours, ${per('roundTrips').toFixed(3)} round trips, ` +
        `${per('transactions').toFixed(3)} transactions in pg_stat_database (reads, provider and background jobs included)\n`,
    );
    expect({ statuses: Object.keys(statuses), lost }).toEqual({ statuses: ['201'], lost: 0 });
    expect(per('commits')).toBeGreaterThan(0);
    expect(per('commits')).toBeLessThanOrEqual(0.3);
    expect(per('transactions')).toBeLessThanOrEqual(0.6);
    await stop();
    expect(await violations(database)).toEqual({});
  });

  it('confirms all others in a batch with one that the database refuses, one sold out and one declined', async () => {
    const test: TestApp = await startTestApp({ REDIS_URL: requiredEnv('TEST_REDIS_URL') }, database);
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
  });
});

async function confirmed(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM orders WHERE state = 'CONFIRMED'`,
  );
  return row!.count;
}

interface Costs {
  /** Transactions of sagas, each of which is one commit. */
  readonly commits: number;
  readonly roundTrips: number;
  /** Committed ones, also those that only read. */
  readonly transactions: number;
}

async function costs(api: ApiClient, database: TestDatabase): Promise<Costs> {
  await delay(1_100); // a backend reports its commits within a second
  const text = (await api.get('/metrics', { key: 'admin' })).body as string;
  const sum = (pattern: RegExp) => [...text.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
  const [row] = await database.query<{ count: number }>(
    `SELECT xact_commit::int AS count FROM pg_stat_database WHERE datname = current_database()`,
  );
  return {
    commits: sum(/^saga_stage_seconds_count\{[^}]*\} (\d+)$/gm),
    roundTrips: sum(/^pg_round_trips_total (\d+)$/gm),
    transactions: row!.count,
  };
}
