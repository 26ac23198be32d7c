import { spawnSync } from 'node:child_process';
import { DataSource } from 'typeorm';
import pg from 'pg';
import { loadConfig } from '../../../src/platform/config/app-config.js';
import { openDatabase } from '../../../src/platform/postgres/open-database.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { PostgresDriver } from '../../../src/lock/drivers/postgres/postgres.driver.js';
import { LockMetrics } from '../../../src/lock/lock-metrics.js';
import { LockService } from '../../../src/lock/lock.service.js';
import { newProcessId } from '../../lock/locks.js';
import { KEYS } from '../../setup/app-process.js';
import { eventually } from '../../setup/eventually.js';
import { violations } from '../../setup/invariants.js';
import { PgBouncer, startPgBouncer } from '../../setup/pgbouncer.js';
import { programOf } from '../../setup/programs.js';
import { basket, shelve } from '../../setup/shop.js';
import { startTestApp, TestApp } from '../../setup/test-app.js';
import { createEmptyDatabase, createTestDatabase, requiredEnv, type TestDatabase } from '../../setup/test-database.js';
import { startReceiver } from '../events/receiver.js';

describe('through PgBouncer in session mode', () => {
  let database: TestDatabase;
  let bouncer: PgBouncer;
  let test: TestApp;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    const settings = { pool_mode: 'session', default_pool_size: '60' };
    const started = await startPgBouncer(database.url, settings);
    bouncer = started;
    const config = loadConfig({ ...KEYS, DATABASE_URL: started.url });
    await (await openDatabase(config)).close();
    const env = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', DATABASE_POOL_SIZE: '8' };
    test = await startTestApp(env, { ...database, url: started.url });
  });
  afterAll(async () => {
    await test.close();
    await bouncer.stop();
    await database.drop();
  });

  it('migrates, and has its settings in every session', async () => {
    const source = test.app.get(DataSource);
    const shown = await Promise.all(
      ['statement_timeout', 'idle_in_transaction_session_timeout', 'plan_cache_mode', 'enable_seqscan'].map((name) =>
        source.query<Record<string, string>[]>(`SELECT current_setting('${name}') AS "${name}"`),
      ),
    );
    expect(Object.assign({}, ...shown.flat())).toEqual({
      statement_timeout: '10s',
      idle_in_transaction_session_timeout: '10s',
      plan_cache_mode: 'force_generic_plan',
      enable_seqscan: 'off',
    });
    expect((await test.api.get('/health/ready')).body).toMatchObject({ status: 'ready' });
  });

  it('sells what there is, to a crowd', async () => {
    await shelve(test.api, 'scarce', 10);
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => test.api.post('/v1/checkouts', basket('scarce'))),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(10).fill(201), ...Array<number>(15).fill(409)]);
    expect(await violations(test.database)).toEqual({});
  });

  it('wakes who waits for a lock, over LISTEN', async () => {
    const pool = new pg.Pool({ connectionString: bouncer.url, max: 4 });
    const locks = ['first', 'second'].map(() => {
      const processId = newProcessId();
      const patient = { processId, pollCapMs: 600_000, commandTimeoutMs: 5_000 }; // no poll would find it in time
      return new LockService(new PostgresDriver(pool, processId), new LockMetrics(new Metrics()), patient);
    });
    const [first, second] = locks as [LockService, LockService];
    await Promise.all(locks.map((service) => service.start()));
    const options = { leaseMs: 600_000, waitMs: 600_000 };
    let waiting: Promise<string> | undefined;
    await first.withLock(['seat'], options, async () => {
      waiting = second.withLock(['seat'], options, () => Promise.resolve('woken'));
      await eventually('a waiter', async () => (await first.list()).some(({ waiters }) => waiters === 1) || undefined);
    });
    expect(await waiting).toBe('woken');
    await Promise.all(locks.map((service) => service.stop()));
    await pool.end();
  });

  it('delivers webhooks without Redis', async () => {
    const receiver = await startReceiver();
    const created = await test.api.post('/v1/webhook-endpoints', { url: receiver.url }, { key: 'admin' });
    expect(created.status).toBe(201);
    await shelve(test.api, 'plenty', 10);
    const { body } = await test.api.post('/v1/checkouts', basket('plenty'));
    await receiver.until((messages) => messages.some(({ event }) => event.subject === body.id));
    await receiver.close();
  });
});

describe('a PgBouncer that cannot do', () => {
  it.each([
    ['transaction', { pool_mode: 'transaction' }, /does not keep a session for each client: set pool_mode = session/],
    ['statement', { pool_mode: 'statement' }, /does not keep a session for each client: set pool_mode = session/],
    ['too small', { pool_mode: 'session', default_pool_size: '1' }, /gave no second connection \(.+\): each instance/],
  ])('is refused in one line (%s)', async (_, settings, line) => {
    const database = await createTestDatabase();
    const bouncer = await startPgBouncer(requiredEnv('TEST_POSTGRES_URL'), settings);
    const DATABASE_URL = Object.assign(new URL(bouncer.url), { pathname: `/${database.name}` }).toString();
    const env = { PATH: process.env['PATH'], ...KEYS, DATABASE_URL, PORT: '0' };
    const { status, stderr } = spawnSync(process.execPath, [programOf('main')], {
      env,
      encoding: 'utf8',
      timeout: 50_000,
    });
    await bouncer.stop();
    await database.drop();
    expect([status, stderr.trimEnd().split('\n')]).toEqual([1, [expect.stringMatching(line)]]);
  });
});
