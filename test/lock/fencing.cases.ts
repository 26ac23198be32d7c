import { createTestDatabase, TestDatabase } from '../setup/test-database.js';
import type { Bench } from './conformance.js';
import { sleep } from './timing.js';
import { Worker } from './worker.js';

export function describeFencing(bench: Bench): void {
  describe('with a fence in the data', () => {
    let database: TestDatabase;

    beforeAll(async () => {
      database = await createTestDatabase();
      await database.query(
        'CREATE TABLE guarded (key text PRIMARY KEY, value integer NOT NULL, fence bigint NOT NULL)',
      );
    });
    afterAll(() => database.drop());

    it('2: a holder that slept through its lease cannot write any more', async () => {
      const key = bench.key('paused');
      await database.query('INSERT INTO guarded VALUES ($1, 0, 0)', [key]);
      const leaseMs = 500;
      const worker = await Worker.start('hold', {
        spec: bench.backend().direct,
        key,
        leaseMs,
        databaseUrl: database.url,
      });
      worker.go();
      const { held } = await worker.next<{ held: string }>();
      worker.signal('SIGSTOP');
      const { service } = await bench.open();
      await service.withLock([key], { waitMs: 3_000, leaseMs: 2_000 }, async (lease) => {
        expect(lease.token > BigInt(held)).toBe(true);
        const update = 'UPDATE guarded SET value = value + 1, fence = $2 WHERE key = $1 AND fence <= $2 RETURNING key';
        expect(await database.query(update, [key, lease.token.toString()])).toHaveLength(1);
        // The fence lets the same holder write again.
        expect(await database.query(update, [key, lease.token.toString()])).toHaveLength(1);
      });
      worker.signal('SIGCONT');
      worker.go();
      expect(await worker.next()).toEqual({ wrote: false, isHeld: false, isAborted: true });
      await worker.end();
      const [row] = await database.query<{ value: number }>('SELECT value FROM guarded WHERE key = $1', [key]);
      expect(row?.value).toBe(2);
    });
  });

  it('5: no write is falsely refused after a FLUSHALL or a restart, and tokens still rise', async () => {
    const key = bench.key('flushed');
    let fence = 0n;
    const acquireMany = async () => {
      // A new instance: the floor that an old one remembers would hide a store that forgot.
      const { service } = await bench.open('proxied');
      for (let round = 0; round < 50; round += 1) {
        await service.withLock([key], { waitMs: 2_000, leaseMs: 5_000 }, ({ token }) => {
          expect(token > fence).toBe(true);
          fence = token;
          return Promise.resolve();
        });
      }
    };
    await acquireMany();
    await bench.backend().flush();
    await acquireMany();
    await bench.backend().kill();
    await bench.backend().restart();
    await acquireMany();
  });

  it('7: a release after the expiry never frees the successor, and returns in 100 ms', async () => {
    const key = bench.key('late');
    const [late, successor, third] = await Promise.all([bench.open('proxied'), bench.open(), bench.open()]);
    const { wires } = bench.backend();
    let endedAt = 0;
    const lost = late.service.withLock([key], { waitMs: 1_000, leaseMs: 400 }, async (lease) => {
      wires.forEach((wire) => wire.cut());
      await sleep(700);
      expect(() => lease.assertHeld()).toThrow('lease');
      endedAt = performance.now();
    });
    await sleep(550);
    await successor.service.withLock([key], { waitMs: 1_000, leaseMs: 5_000 }, async () => {
      await lost;
      expect(performance.now() - endedAt).toBeLessThan(100);
      wires.forEach((wire) => wire.heal());
      await sleep(100); // the late release arrives
      await expect(
        third.service.withLock([key], { waitMs: 0, leaseMs: 1_000 }, () => Promise.resolve()),
      ).rejects.toThrow('not free');
    });
  });

  it('an owner that is not the holder can neither renew nor release', async () => {
    const key = bench.key('stranger');
    const { driver } = await bench.open();
    const request = { keys: [key], leaseMs: 2_000, floor: 0n, spare: 0, since: 0, heirOf: '', timeoutMs: 1_000 };
    const granted = await driver.acquire({ ...request, owner: 'one.1' });
    expect(granted.isGranted).toBe(true);
    const stranger = { keys: [key], owner: 'two.1', since: 0, token: 1n };
    expect(await driver.renew(stranger, 2_000)).toBe('lost');
    await driver.release(stranger);
    expect(await driver.isHeld([key])).toBe(true);
    await driver.release({ ...stranger, owner: 'one.1', token: 0n });
    expect(await driver.isHeld([key])).toBe(false);
  });
}
