import type { Bench } from './conformance.js';
import { PATIENT_MS } from './locks.js';
import { gate, runningMs, sleep, smallest, untilAborted } from '../setup/timing.js';

const RELEASED_WITHIN_MS = 100;

export function describeFencing(bench: Bench): void {
  it('5: no write is falsely refused after a FLUSHALL or a restart, and tokens still rise', async () => {
    const key = bench.key('flushed');
    let fence = 0n;
    const acquireMany = async () => {
      // A new instance: the floor that an old one remembers would hide a store that forgot.
      const { service } = await bench.open('proxied');
      for (let round = 0; round < 50; round += 1) {
        await service.withLock([key], { waitMs: PATIENT_MS, leaseMs: PATIENT_MS }, ({ token }) => {
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
    const measure = async (attempt: number) => {
      const key = bench.key(`late:${attempt}`);
      const [late, successor, third] = await Promise.all([bench.open('proxied'), bench.open(), bench.open()]);
      const { wires } = bench.backend();
      const granted = gate();
      let endedAt = 0;
      let releasedMs = 0;
      const lost = late.service.withLock([key], { waitMs: PATIENT_MS, leaseMs: 300 }, async (lease) => {
        granted.open();
        wires.forEach((wire) => wire.cut());
        await untilAborted(lease.signal);
        expect(() => lease.assertHeld()).toThrow('lease');
        endedAt = runningMs();
      });
      await granted.opened;
      await successor.service.withLock([key], { waitMs: PATIENT_MS, leaseMs: PATIENT_MS }, async () => {
        await lost;
        releasedMs = runningMs() - endedAt;
        wires.forEach((wire) => wire.heal());
        await sleep(100); // the late release arrives
        await expect(
          third.service.withLock([key], { waitMs: 0, leaseMs: PATIENT_MS }, () => Promise.resolve()),
        ).rejects.toThrow('not free');
      });
      return releasedMs;
    };
    expect(await smallest(RELEASED_WITHIN_MS, measure)).toBeLessThan(RELEASED_WITHIN_MS);
  });

  it('an owner that is not the holder can neither renew nor release', async () => {
    const key = bench.key('stranger');
    const { driver } = await bench.open();
    const request = {
      keys: [key],
      leaseMs: PATIENT_MS,
      floor: 0n,
      spare: 0,
      since: 0,
      heirOf: '',
      timeoutMs: PATIENT_MS,
    };
    const granted = await driver.acquire({ ...request, owner: 'one.1' });
    expect(granted.isGranted).toBe(true);
    const stranger = { keys: [key], owner: 'two.1', since: 0, token: 1n };
    expect(await driver.renew(stranger, PATIENT_MS)).toBe('lost');
    await driver.release(stranger);
    expect(await driver.isHeld([key])).toBe(true);
    await driver.release({ ...stranger, owner: 'one.1', token: 0n });
    expect(await driver.isHeld([key])).toBe(false);
  });
}
