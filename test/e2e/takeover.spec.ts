import { type AppProcess, startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { basket, chargesOf, shelve } from '../setup/shop.js';
import { starvedMs } from '../setup/starvation.js';
import { createTestDatabase, requiredEnv, type TestDatabase } from '../setup/test-database.js';
import { PAYMENT_LOCK, paymentKey } from '../../src/lock/lock-keys.js';

const SAGA_LEASE_MS = 3_000;
const SLOW = { payment: { method: 'pm_sandbox_slow' } };

interface Held {
  readonly key: string;
  readonly owner: string;
  readonly ttlMs: number;
}

describe.each(['redis', 'postgres'] as const)('the lock of a charge on %s', (driver) => {
  let database: TestDatabase;
  let survivor: AppProcess;
  const start = (more: Readonly<Record<string, string>> = {}) =>
    startAppProcess({
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '6',
      SAGA_LEASE_MS: String(SAGA_LEASE_MS),
      ...(driver === 'redis' && { REDIS_URL: requiredEnv('TEST_REDIS_URL') }),
      ...more,
    });
  beforeAll(async () => {
    database = await createTestDatabase();
    survivor = await start();
    await shelve(survivor.api, 'taken-over', 100);
  });
  afterAll(async () => {
    await survivor.stop('SIGKILL');
    await database.drop();
  });

  const locks = async () => (await survivor.api.get('/v1/locks', { key: 'admin' })).body.items as Held[];
  /** An order whose charge is under way on the instance, and its lock. */
  const charging = async ({ api }: AppProcess) => {
    const { body } = await api.post('/v1/checkouts', basket('taken-over', SLOW), {
      headers: { prefer: 'respond-async' },
    });
    const lock = await eventually(
      'the charge holds its lock',
      async () => (await locks()).find(({ key }) => key === paymentKey(body.id)),
      { everyMs: 20 },
    );
    return { id: body.id as string, sagaId: body.sagaId as string, lock };
  };
  const confirmed = (id: string) =>
    eventually('the order is confirmed', async () => {
      const { body } = await survivor.api.get(`/v1/orders/${id}`, { key: 'admin' });
      return body.state === 'CONFIRMED';
    });

  it('lasts a minute, and names the owner of the saga', async () => {
    const { id, sagaId, lock } = await charging(survivor);
    expect(lock.ttlMs).toBeGreaterThan(PAYMENT_LOCK.leaseMs * 0.9);
    expect(lock.ttlMs).toBeLessThanOrEqual(PAYMENT_LOCK.leaseMs);
    const { body: saga } = await survivor.api.get(`/v1/sagas/${sagaId}`, { key: 'admin' });
    expect(lock.owner.split('.')[0]).toBe(saga.owner);
    await confirmed(id);
    // The lock goes after the commit that others already see.
    await eventually('the lock is free', async () => !(await locks()).some(({ key }) => key === paymentKey(id)));
  });

  it('does not hold up the takeover from a process that was killed: two leases of the saga, not one of the lock', async () => {
    const victim = await start();
    const { id, lock } = await charging(victim);
    await victim.stop('SIGKILL');
    const [from, starvedBefore] = [performance.now(), starvedMs(survivor.pid)];
    expect(lock.ttlMs).toBeGreaterThan(4 * SAGA_LEASE_MS);
    await confirmed(id);
    // As far as the survivor was let run.
    const ms = performance.now() - from - (starvedMs(survivor.pid) - starvedBefore);
    expect(ms).toBeLessThan(2 * SAGA_LEASE_MS);
    expect(await chargesOf(database, id)).toEqual({ charges: 1, net: 1_000 });
    expect(await violations(database)).toEqual({});
  });

  it('is given back by a process that has to leave before the answer', async () => {
    const leaving = await start({ SHUTDOWN_GRACE_MS: '100', SAGA_LEASE_MS: '120000' });
    const { id, lock } = await charging(leaving);
    expect(await leaving.stop('SIGTERM')).toBe(0);
    const process = lock.owner.split('.')[0];
    expect((await locks()).filter(({ owner }) => owner.split('.')[0] === process)).toEqual([]);
    await confirmed(id);
    expect(await chargesOf(database, id)).toEqual({ charges: 1, net: 1_000 });
    expect(await violations(database)).toEqual({});
  });
});
