import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Proxy } from '../chaos/proxy.js';
import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { Crowd } from '../setup/crowd.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { freeze, type PostgresPair, startPostgresPair } from '../setup/postgres-pair.js';
import { scaled } from '../setup/scale.js';
import { basket, shelve } from '../setup/shop.js';
import { openDatabase, requiredEnv } from '../setup/test-database.js';

const BUYERS = 8;
const BROWSING_MS = scaled(50, 0);
/** A lock ends with its lease (10 s, 60 s) after the deadline of the work under it, also if its release was lost. */
const LONGEST_MS = { stock: 30_000, payment: 90_000 };
/** How long the database is away. */
const SILENCE_MS = scaled(4_000, 60_000);

describe('a database that goes silent', () => {
  let pair: PostgresPair;
  let balancer: Proxy;
  let apps: AppProcess[];
  const sku = `silent-${randomUUID().slice(0, 8)}`;
  const throughBalancer = (url: string) => Object.assign(new URL(url), { port: String(balancer.port) }).toString();
  const leadTo = (url: string) =>
    balancer.set({ name: 'database', host: '127.0.0.1', port: Number(new URL(url).port) });

  beforeAll(async () => {
    pair = await startPostgresPair();
    balancer = await Proxy.start();
    leadTo(pair.primary.url);
    const env = {
      DATABASE_URL: throughBalancer(pair.primary.url),
      REDIS_URL: requiredEnv('TEST_REDIS_URL'),
      DATABASE_STATEMENT_TIMEOUT_MS: '2000',
      SAGA_LEASE_MS: '2000',
      DATABASE_POOL_SIZE: '6',
    };
    apps = [await startAppProcess(env)];
    apps.push(await startAppProcess(env));
    await shelve(apps[0]!.api, sku, 1_000_000);
  }, 120_000);
  afterAll(async () => {
    if (process.env['SHOW_OUTPUT']) for (const app of apps) process.stdout.write(`${app.output()}\n-----\n`);
    await Promise.all(apps.map((app) => app.stop('SIGKILL')));
    await balancer.close();
    await pair.stop();
  }, 60_000);

  const readiness = (app: AppProcess) => app.api.get('/health/ready', { key: 'none' });
  const untilReady = (app: AppProcess, isWanted: boolean, what: string) =>
    eventually(what, async () => ((await readiness(app)).status === 200) === isWanted || undefined, {
      withinMs: 60_000,
    });

  it(
    'that became a standby is away, not an error, and is forgotten when the balancer leads back',
    async () => {
      const crowd = new Crowd(apps, [sku], BUYERS, BROWSING_MS);
      await eventually('sales', () => Promise.resolve(crowd.confirmed.length > 10 || undefined));
      leadTo(pair.standby.url);
      balancer.cutAll();
      await Promise.all(apps.map((app) => untilReady(app, false, 'word that nothing can be sold')));
      await eventually('the reason', async () => {
        const { checks } = (await readiness(apps[0]!)).body;
        return checks.database.state === 'down' || undefined;
      });
      await delay(SILENCE_MS / 2);
      leadTo(pair.primary.url);
      balancer.cutAll();
      const backAt = performance.now();
      await Promise.all(apps.map((each) => buyOne(each)));
      report('from the switch back to 201 on both instances', performance.now() - backAt);
      await crowd.goHome();
      expect(Object.keys(crowd.statuses()).filter((status) => !/^(201|202|409|503)\b/.test(status))).toEqual([]);
      await expectSound(pair.primary.url, crowd);
    },
    180_000 + SILENCE_MS,
  );

  it(
    'is left for its standby, without a restart, and nothing that was acknowledged is lost',
    async () => {
      await pair.replicateSynchronously();
      const crowd = new Crowd(apps, [sku], BUYERS, BROWSING_MS);
      await eventually('sales', () => Promise.resolve(crowd.confirmed.length > 10 || undefined));
      freeze(pair.primary.pid);
      await Promise.all(apps.map((app) => untilReady(app, false, 'word that nothing can be sold')));
      await delay(SILENCE_MS);
      await pair.promoteStandby();
      leadTo(pair.standby.url); // connections that are open stay with the frozen server
      const switchedAt = performance.now();
      await Promise.all(apps.map((app) => buyOne(app)));
      report('from the switch to 201 on both instances', performance.now() - switchedAt);
      await Promise.all(apps.map((app) => untilReady(app, true, 'readiness')));
      await crowd.goHome();
      report('answers', crowd.statuses());
      await expectSound(pair.standby.url, crowd);
      const locks = await apps[0]!.api.get('/v1/locks', { key: 'admin' });
      const old = (locks.body.items as { key: string; ageMs: number }[]).filter(
        ({ key, ageMs }) => ageMs > (key.startsWith('inventory:') ? LONGEST_MS.stock : LONGEST_MS.payment),
      );
      expect(old).toEqual([]);
    },
    240_000 + SILENCE_MS,
  );

  async function buyOne(app: AppProcess): Promise<void> {
    const idempotencyKey = randomUUID();
    await eventually(
      '201 again',
      async () => {
        const { status } = await app.api.post('/v1/checkouts', basket(sku), { idempotencyKey });
        return status === 201 || undefined;
      },
      { withinMs: 90_000 },
    );
  }

  async function expectSound(url: string, crowd: Crowd): Promise<void> {
    const database = openDatabase(url);
    const acknowledged = crowd.confirmed.map(({ confirmed }) => confirmed);
    const kept = await database.query(`SELECT id FROM orders WHERE id = ANY($1) AND state = 'CONFIRMED'`, [
      acknowledged,
    ]);
    expect(kept).toHaveLength(new Set(acknowledged).size);
    expect(new Set(acknowledged).size).toBe(crowd.intents.length);
    await eventually(
      'that nothing is under way',
      async () => {
        const open = await database.query(`SELECT 1 FROM sagas WHERE state IN ('RUNNING', 'WAITING', 'COMPENSATING')`);
        return open.length === 0 || undefined;
      },
      { withinMs: 60_000 },
    );
    expect(await violations(database)).toEqual({});
    await database.close();
  }
});

function report(what: string, value: unknown): void {
  process.stdout.write(`${what}: ${typeof value === 'number' ? `${Math.round(value)} ms` : JSON.stringify(value)}\n`);
}
