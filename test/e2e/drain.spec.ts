import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { basket, shelve } from '../setup/shop.js';
import { createTestDatabase, requiredEnv, type TestDatabase } from '../setup/test-database.js';

const SLOW = { payment: { method: 'pm_sandbox_slow' } };

describe('SIGTERM', () => {
  let database: TestDatabase;
  let other: AppProcess;
  const env = () => ({ DATABASE_URL: database.url, REDIS_URL: requiredEnv('TEST_REDIS_URL'), DATABASE_POOL_SIZE: '6' });
  beforeAll(async () => {
    database = await createTestDatabase();
    other = await startAppProcess(env());
    await shelve(other.api, 'drained', 100);
  });
  afterAll(async () => {
    await other.stop('SIGKILL');
    await database.drop();
  });

  const inFlight = (count: number) =>
    eventually(`${count} calls under way`, async () => {
      const rows = await database.query(`SELECT 1 FROM sagas WHERE phase = 'call' AND state = 'RUNNING'`);
      return rows.length === count;
    });

  it('is not ready first and serves on, then takes no connections, lets what runs finish, and ends well', async () => {
    const leaving = await startAppProcess({ ...env(), SHUTDOWN_DELAY_MS: '3000' });
    const stopped = leaving.stop('SIGTERM');
    const ready = await eventually('that it is not ready', async () => {
      const answer = await leaving.api.get('/health/ready', { key: 'none' });
      return answer.status === 503 ? answer : undefined;
    });
    expect(ready.body.checks.instance).toEqual({ state: 'down', detail: 'the instance is stopping' });
    const served = await leaving.api.post('/v1/checkouts', basket('drained'));
    expect([served.status, served.headers.get('connection')]).toEqual([201, 'close']);
    const running = [1, 2, 3].map(() => leaving.api.post('/v1/checkouts', basket('drained', SLOW)));
    await inFlight(3);
    await eventually('that nobody else gets in', () =>
      leaving.api.get('/health/live').then(
        () => undefined,
        () => true,
      ),
    );
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await stopped).toBe(0);
  });

  it('hands over what does not finish in time: it goes on elsewhere at once, long before the lease is over', async () => {
    const leaving = await startAppProcess({ ...env(), SHUTDOWN_GRACE_MS: '100', SAGA_LEASE_MS: '120000' });
    const running = [1, 2, 3].map(() => leaving.api.post('/v1/checkouts', basket('drained', SLOW)));
    await inFlight(3);
    const stopped = leaving.stop('SIGTERM');
    const answers = await Promise.all(running);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    await stopped;
    const owners = await database.query<{ epoch: number; state: string }>(
      `SELECT state, epoch FROM sagas WHERE subject = ANY($1)`,
      [answers.map(({ body }) => body.id)],
    );
    // Handed over, then claimed: two steps of the epoch.
    expect(owners).toEqual(Array(3).fill({ state: 'COMPLETED', epoch: 3 }));
    expect(await violations(database)).toEqual({});
  });
});
