import { LeaseLostError, LockTimeoutError } from '../../src/lock/lock-errors.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import type { Bench } from './conformance.js';
import { hold, type Locks, PATIENT_MS, untilWaiting } from './locks.js';
import { gate, sleep, untilAborted } from '../setup/timing.js';

/** The lease is longer than the wait: whoever waits for it has failed. */
const LONG = { waitMs: PATIENT_MS, leaseMs: 3 * PATIENT_MS };
const AT_ONCE = { ...LONG, waitMs: 0 };
/** Renewed after a second. */
const FORMER_LEASE_MS = 3_000;
const done = () => Promise.resolve('done');

export function describeHeirs(bench: Bench): void {
  describe('heirs', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase();
      await database.query(
        'CREATE TABLE guarded (key text PRIMARY KEY, value integer NOT NULL, fence bigint NOT NULL)',
      );
    });
    afterAll(() => database.drop());

    const holderOf = async ({ service }: Locks, key: string) =>
      (await service.list()).find((lock) => lock.key === key)?.owner.split('.')[0];
    const write = async (key: string, token: bigint) => {
      const update = 'UPDATE guarded SET value = value + 1, fence = $2 WHERE key = $1 AND fence <= $2 RETURNING key';
      return (await database.query(update, [key, token.toString()])).length === 1;
    };

    it('takes the key of the process before at once, above its token; that one is told and fenced', async () => {
      const key = bench.key('heir');
      await database.query('INSERT INTO guarded VALUES ($1, 0, 0)', [key]);
      const [former, heir, stranger] = await Promise.all([bench.open(), bench.open(), bench.open()]);
      const held = gate();
      const working = former.service.withLock([key], { ...LONG, leaseMs: FORMER_LEASE_MS }, async (lease) => {
        expect(await write(key, lease.token)).toBe(true);
        held.open();
        const lostMs = await untilAborted(lease.signal);
        return { lease, lostMs, hasWritten: await write(key, lease.token) };
      });
      await held.opened;
      const [holding] = former.service.held();
      for (const heirOf of [stranger.processId, former.processId.slice(0, -1), `${former.processId}0`]) {
        const refused = stranger.service.withLock([key], { ...AT_ONCE, heirOf }, done);
        await expect(refused).rejects.toBeInstanceOf(LockTimeoutError);
      }
      const token = await heir.service.withLock([key], { ...AT_ONCE, heirOf: former.processId }, async (lease) => {
        expect(await write(key, lease.token)).toBe(true);
        const request = { keys: [key], owner: holding!.owner, since: 0, token: 0n };
        expect(await former.driver.renew(request, FORMER_LEASE_MS)).toBe('lost');
        await former.driver.release(request);
        expect(await holderOf(stranger, key)).toBe(heir.processId);
        const { lostMs, hasWritten, lease: lost } = await working;
        // By its renewal at a third of the lease, before the lease itself would have ended.
        expect(lostMs).toBeLessThan(0.8 * FORMER_LEASE_MS);
        expect(hasWritten).toBe(false);
        expect(() => lost.assertHeld()).toThrow(LeaseLostError);
        expect(lease.token).toBeGreaterThan(lost.token);
        lease.assertHeld();
        return lease.token;
      });
      const next = await stranger.service.withLock([key], LONG, (lease) => Promise.resolve(lease.token));
      expect(next).toBeGreaterThan(token);
    });

    it('takes several keys of which the process before holds some, and all or none', async () => {
      const [former, heir, stranger] = await Promise.all([bench.open(), bench.open(), bench.open()]);
      const keys = ['a', 'b', 'c', 'd'].map((name) => bench.key(name));
      const [a, b, c, d] = keys as [string, string, string, string];
      const held = await Promise.all([hold(former, [a, c], LONG), hold(stranger, [d], LONG)]);
      const heirOf = `gone ${former.processId}`;
      const refused = heir.service.withLock(keys, { ...AT_ONCE, heirOf }, done);
      await expect(refused).rejects.toBeInstanceOf(LockTimeoutError);
      expect(await Promise.all([a, b, c, d].map((key) => holderOf(heir, key)))).toEqual([
        former.processId,
        undefined,
        former.processId,
        stranger.processId,
      ]);
      await heir.service.withLock([a, b, c], { ...AT_ONCE, heirOf }, async () => {
        const owners = [heir.processId, heir.processId, heir.processId];
        expect(await Promise.all([a, b, c].map((key) => holderOf(stranger, key)))).toEqual(owners);
      });
      await Promise.all(held.map((one) => one.release()));
    });

    it('goes before those who wait for the key, who are served after it', async () => {
      const [former, heir, waiter] = await Promise.all([bench.open(), bench.open(), bench.open()]);
      const key = bench.key('queue');
      const held = await hold(former, [key], LONG);
      const served: string[] = [];
      const waiting = waiter.service.withLock([key], LONG, () => Promise.resolve(served.push('waiter')));
      await untilWaiting(heir, key, 1);
      await heir.service.withLock([key], { ...LONG, heirOf: former.processId }, async () => {
        await sleep(50);
        served.push('heir');
      });
      await waiting;
      expect(served).toEqual(['heir', 'waiter']);
      await held.release();
    });

    it('is not needed by anybody after a process that stops in order: it gives back what it still holds', async () => {
      const [leaving, other] = await Promise.all([bench.open(), bench.open()]);
      const key = bench.key('leaving');
      const granted = gate();
      const working = leaving.service.withLock([key], LONG, async (lease) => {
        granted.open();
        await untilAborted(lease.signal);
      });
      await granted.opened;
      const from = performance.now();
      await leaving.service.stop();
      await expect(other.service.withLock([key], LONG, done)).resolves.toBe('done');
      await working;
      expect(performance.now() - from).toBeLessThan(LONG.leaseMs);
      await expect(leaving.service.withLock([key], LONG, done)).rejects.toMatchObject({
        code: 'DEPENDENCY_UNAVAILABLE',
      });
    });
  });
}
