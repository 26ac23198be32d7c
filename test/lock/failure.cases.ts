import { LeaseLostError, LockBackendUnavailableError } from '../../src/lock/lock-errors.js';
import type { Bench } from './conformance.js';
import { sleep, untilAborted } from './timing.js';

const LEASE_MS = 900;
const LATE_MS = 100;
const HOUR_MS = 3_600_000;

export function describeFailures(bench: Bench): void {
  it('3: store SIGSTOPped while held: the work is aborted by the end of the lease, not when the store answers', async () => {
    const { service } = await bench.open('proxied');
    const key = bench.key('stopped');
    let settledMs = 0;
    await service.withLock([key], { waitMs: 1_000, leaseMs: LEASE_MS }, async (lease) => {
      await sleep(LEASE_MS); // renewed meanwhile
      lease.assertHeld();
      const remainingMs = lease.remainingMs();
      bench.backend().pause();
      const abortedMs = await untilAborted(lease.signal);
      // A renewal may have been answered just before the pause.
      expect(abortedMs).toBeLessThan(Math.max(remainingMs, LEASE_MS) + LATE_MS);
      expect(lease.signal.reason).toBeInstanceOf(LeaseLostError);
      expect(() => lease.assertHeld()).toThrow(LeaseLostError);
      expect(lease.remainingMs()).toBe(0);
      settledMs = performance.now();
    });
    expect(performance.now() - settledMs).toBeLessThan(LATE_MS);
    bench.backend().resume();
    await sleep(200);
  });

  it('4: store SIGKILLed while held: the same, and no unhandled rejection', async () => {
    const { service } = await bench.open('proxied');
    await service.withLock([bench.key('killed')], { waitMs: 1_000, leaseMs: LEASE_MS }, async (lease) => {
      await bench.backend().kill();
      const abortedMs = await untilAborted(lease.signal);
      expect(abortedMs).toBeLessThan(LEASE_MS + LATE_MS);
      expect(() => lease.assertHeld()).toThrow(LeaseLostError);
    });
    const from = performance.now();
    await expect(
      service.withLock([bench.key('away')], { waitMs: 300, leaseMs: 1_000 }, () => Promise.resolve()),
    ).rejects.toBeInstanceOf(LockBackendUnavailableError);
    expect(performance.now() - from).toBeLessThan(300 + LATE_MS);
    await bench.backend().restart();
    // The same instance works again without a restart of its own.
    await expect(
      service.withLock([bench.key('back')], { waitMs: 5_000, leaseMs: 1_000 }, () => Promise.resolve(1)),
    ).resolves.toBe(1);
  });

  it('6: an acquire whose answer comes after the lease is an error, and the key is free again', async () => {
    const [slow, other] = await Promise.all([bench.open('proxied'), bench.open()]);
    const key = bench.key('slow');
    const { wires } = bench.backend();
    wires.forEach((wire) => (wire.replyDelayMs = 400));
    const acquired = slow.service.withLock([key], { waitMs: 150, leaseMs: 200 }, () => Promise.resolve());
    await expect(acquired).rejects.toBeInstanceOf(LockBackendUnavailableError);
    wires.forEach((wire) => (wire.replyDelayMs = 0));
    await expect(
      other.service.withLock([key], { waitMs: 500, leaseMs: 1_000 }, () => Promise.resolve(1)),
    ).resolves.toBe(1);
    await sleep(450);
  });

  it('6: the same with a long lease: the compensating release frees the key before the lease would', async () => {
    const [slow, other] = await Promise.all([bench.open('proxied'), bench.open()]);
    const key = bench.key('ghost');
    const { wires } = bench.backend();
    wires.forEach((wire) => (wire.replyDelayMs = 400));
    const acquired = slow.service.withLock([key], { waitMs: 100, leaseMs: 60_000 }, () => Promise.resolve());
    await expect(acquired).rejects.toBeInstanceOf(LockBackendUnavailableError);
    wires.forEach((wire) => (wire.replyDelayMs = 0));
    await expect(
      other.service.withLock([key], { waitMs: 2_000, leaseMs: 1_000 }, () => Promise.resolve(1)),
    ).resolves.toBe(1);
    await sleep(450);
  });

  it.each([HOUR_MS, -HOUR_MS])('14: the wall clock moves by %d ms: deadlines do not', async (shiftMs) => {
    const { service } = await bench.open();
    const realNow = Date.now;
    try {
      await service.withLock([bench.key('clock')], { waitMs: 1_000, leaseMs: LEASE_MS }, async (lease) => {
        Date.now = () => realNow() + shiftMs;
        expect(lease.remainingMs()).toBeGreaterThan(LEASE_MS / 2);
        await sleep(LEASE_MS * 1.5);
        lease.assertHeld();
        const from = performance.now();
        bench.backend().pause();
        await untilAborted(lease.signal);
        expect(performance.now() - from).toBeGreaterThan(LEASE_MS / 2);
        expect(performance.now() - from).toBeLessThan(LEASE_MS + LATE_MS);
      });
    } finally {
      Date.now = realNow;
      bench.backend().resume();
    }
    await sleep(200);
  });
}
