import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { STOCK_LOCK, stockKey } from '../../src/lock/lock-keys.js';
import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { scaled } from '../setup/scale.js';
import { basket, shelve } from '../setup/shop.js';
import { starvedMs } from '../setup/starvation.js';
import { createTestDatabase, requiredEnv, type TestDatabase } from '../setup/test-database.js';

/** For how long each crowd shops. */
const CROWD_MS = scaled(1_000, 12_000);
const BUYERS = 10;
const HOLDERS = 6;

/** What became of the requests of those who wanted the same. */
interface Tally {
  readonly statuses: Record<number, number>;
  maxMs: number;
}

describe('a SKU whose lock a paused instance holds', () => {
  const blocked = `blocked-${randomUUID().slice(0, 8)}`;
  const free = `free-${randomUUID().slice(0, 8)}`;
  let database: TestDatabase;
  let app: AppProcess;
  let sleeper: AppProcess;
  const env = () => ({ DATABASE_URL: database.url, REDIS_URL: requiredEnv('TEST_REDIS_URL'), SAGA_LEASE_MS: '20000' });

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startAppProcess(env());
    for (const sku of [blocked, free]) await shelve(app.api, sku, 1_000_000);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([app, sleeper].map((each) => each.stop('SIGKILL')));
    await database.drop();
  });

  const buy = (sku: string) => app.api.post('/v1/checkouts', basket(sku));
  const hold = (sku: string) => app.api.post('/v1/reservations', { currency: 'EUR', lines: [{ sku, quantity: 1 }] });

  /** Each asks for the same, one request after the other. */
  async function crowd(size: number, ask: () => Promise<{ status: number }>): Promise<Tally> {
    const tally: Tally = { statuses: {}, maxMs: 0 };
    const over = performance.now() + CROWD_MS;
    const shop = async () => {
      do {
        const startedAt = performance.now();
        const { status } = await ask();
        tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
        tally.maxMs = Math.max(tally.maxMs, Math.round(performance.now() - startedAt));
      } while (performance.now() < over);
    };
    await Promise.all(Array.from({ length: size }, shop));
    return tally;
  }
  const wantFree = () => Promise.all([crowd(BUYERS, () => buy(free)), crowd(HOLDERS, () => hold(free))]);
  const wantBlocked = () => Promise.all([crowd(2, () => buy(blocked)), crowd(2, () => hold(blocked))]);

  it('delays only those who want it', async () => {
    sleeper = await startAppProcess({ ...env(), FAULT_POINT: 'before-commit:create-order:execute=stop' });
    await wantFree(); // warm
    const before = await wantFree();
    sleeper.api.post('/v1/checkouts', basket(blocked)).catch(() => undefined);
    await eventually('the pause', () => Promise.resolve(sleeper.output().includes('reached') || undefined));
    const pausedAt = performance.now();
    // The saga's lease is longer here, and so is that of the locks on credit, which this order does without.
    const { items } = (await app.api.get('/v1/locks', { key: 'admin' })).body;
    const held = items.find(({ key }: { key: string }) => key === stockKey(blocked));
    expect(held.ttlMs).toBeLessThanOrEqual(STOCK_LOCK.leaseMs);

    const starvedBefore = starvedMs(app.pid);
    const [during, refused] = await Promise.all([wantFree(), wantBlocked()]);
    const starved = starvedMs(app.pid) - starvedBefore;
    process.stdout.write(`${JSON.stringify({ before, during, refused })}\n`);
    for (const { statuses, maxMs } of during) {
      expect(Object.keys(statuses)).toEqual(['201']);
      expect(maxMs - starved).toBeLessThan(STOCK_LOCK.waitMs); // nobody has waited for the blocked lock
    }
    // Whoever wants the blocked one is refused after the wait, or served when the lease is over; nobody hangs.
    for (const { statuses } of refused) expect(['201', '503']).toEqual(expect.arrayContaining(Object.keys(statuses)));

    await eventually('that the lease is over', async () => ((await buy(blocked)).status === 201 ? true : undefined), {
      withinMs: 60_000,
    });
    process.stdout.write(`${blocked} is sold again after ${Math.round(performance.now() - pausedAt)} ms\n`);
    sleeper.signal('SIGCONT');
    await eventually('the end of the sleeper’s order', async () => {
      const open = await database.query(`SELECT 1 FROM sagas WHERE state = 'RUNNING'`);
      return open.length === 0 || undefined;
    });
    expect(await violations(database)).toEqual({});
  }, 180_000);
});
