import type { Lease } from '../../src/lock/lease.js';
import { LeaseLostError, LockBackendUnavailableError } from '../../src/lock/lock-errors.js';
import type { Bench } from './conformance.js';
import { runningMs, sleep, untilAborted } from './timing.js';

const LEASE_MS = 600;
const LATE_MS = 100;
/** After a pause the store answers what it was asked meanwhile, before the next case begins. */
const SETTLE_MS = 100;
const REPLY_DELAY_MS = 250;
const HOUR_MS = 3_600_000;

export function describeFailures(bench: Bench): void {
  it('3: store SIGSTOPped while held: the work is aborted at the end of the lease, not when the store answers', async () => {
    const { service } = await bench.open('proxied');
    const key = bench.key('stopped');
    let settledAt = 0;
    await service.withLock([key], { waitMs: 1_000, leaseMs: LEASE_MS }, async (lease) => {
      await sleep(LEASE_MS); // renewed meanwhile
      lease.assertHeld();
      const pausedAt = performance.now();
      bench.backend().pause();
      const { deadline, lateMs } = await watchToTheEnd(lease);
      // A renewal that was answered just before the pause counts; one that was not cannot have moved the deadline.
      expect(deadline).toBeLessThan(pausedAt + LEASE_MS);
      expect(lateMs).toBeLessThan(LATE_MS);
      expect(lease.signal.reason).toBeInstanceOf(LeaseLostError);
      expect(() => lease.assertHeld()).toThrow(LeaseLostError);
      expect(lease.remainingMs()).toBe(0);
      settledAt = runningMs();
    });
    expect(runningMs() - settledAt).toBeLessThan(LATE_MS);
    bench.backend().resume();
    await sleep(SETTLE_MS);
  });

  it('4: store SIGKILLed while held: the same, and no unhandled rejection', async () => {
    const { service } = await bench.open('proxied');
    await service.withLock([bench.key('killed')], { waitMs: 1_000, leaseMs: LEASE_MS }, async (lease) => {
      await bench.backend().kill();
      const abortedMs = await untilAborted(lease.signal);
      expect(abortedMs).toBeLessThan(LEASE_MS + LATE_MS);
      expect(() => lease.assertHeld()).toThrow(LeaseLostError);
    });
    const from = runningMs();
    await expect(
      service.withLock([bench.key('away')], { waitMs: 300, leaseMs: 1_000 }, () => Promise.resolve()),
    ).rejects.toBeInstanceOf(LockBackendUnavailableError);
    expect(runningMs() - from).toBeLessThan(300 + LATE_MS);
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
    wires.forEach((wire) => (wire.replyDelayMs = REPLY_DELAY_MS));
    const acquired = slow.service.withLock([key], { waitMs: 100, leaseMs: 150 }, () => Promise.resolve());
    await expect(acquired).rejects.toBeInstanceOf(LockBackendUnavailableError);
    wires.forEach((wire) => (wire.replyDelayMs = 0));
    await expect(
      other.service.withLock([key], { waitMs: 500, leaseMs: 1_000 }, () => Promise.resolve(1)),
    ).resolves.toBe(1);
    await sleep(REPLY_DELAY_MS);
  });

  it('6: the same with a long lease: the compensating release frees the key before the lease would', async () => {
    const [slow, other] = await Promise.all([bench.open('proxied'), bench.open()]);
    const key = bench.key('ghost');
    const { wires } = bench.backend();
    wires.forEach((wire) => (wire.replyDelayMs = REPLY_DELAY_MS));
    const acquired = slow.service.withLock([key], { waitMs: 100, leaseMs: 60_000 }, () => Promise.resolve());
    await expect(acquired).rejects.toBeInstanceOf(LockBackendUnavailableError);
    wires.forEach((wire) => (wire.replyDelayMs = 0));
    await expect(
      other.service.withLock([key], { waitMs: 2_000, leaseMs: 1_000 }, () => Promise.resolve(1)),
    ).resolves.toBe(1);
    await sleep(REPLY_DELAY_MS);
  });

  it('14: the wall clock moves by an hour, back and forth: deadlines do not', async () => {
    const { service } = await bench.open();
    const realNow = Date.now;
    /** Under a lease that was taken at this hour and renewed at the others. */
    const work = async (shiftMs: number) => {
      Date.now = () => realNow() + shiftMs;
      await service.withLock([bench.key(`clock:${shiftMs}`)], { waitMs: 1_000, leaseMs: LEASE_MS }, async (lease) => {
        expect(lease.remainingMs()).toBeGreaterThan(LEASE_MS / 2);
        await sleep(LEASE_MS);
        lease.assertHeld();
        const { deadline, abortedAt, lateMs } = await watchToTheEnd(lease);
        expect(deadline).toBeGreaterThan(pausedAt + LEASE_MS / 2);
        expect(deadline).toBeLessThan(pausedAt + LEASE_MS);
        expect(abortedAt).toBeGreaterThan(deadline - LATE_MS);
        expect(lateMs).toBeLessThan(LATE_MS);
      });
    };
    let pausedAt = 0;
    try {
      const works = [work(HOUR_MS), work(-HOUR_MS)];
      await sleep(LEASE_MS / 2);
      Date.now = () => realNow() + HOUR_MS;
      await sleep(LEASE_MS);
      pausedAt = performance.now();
      bench.backend().pause();
      Date.now = () => realNow() - HOUR_MS;
      await Promise.all(works);
    } finally {
      Date.now = realNow;
      bench.backend().resume();
    }
    await sleep(SETTLE_MS);
  });
}

/** The lease's own deadline, as it stood last, when the work was told, and how late that was, stalls not counted. */
async function watchToTheEnd(lease: Lease): Promise<{ deadline: number; abortedAt: number; lateMs: number }> {
  let deadline = Number.POSITIVE_INFINITY;
  let runningDeadline = Number.POSITIVE_INFINITY;
  const look = () => {
    const remainingMs = lease.remainingMs();
    if (remainingMs <= 0) return;
    deadline = performance.now() + remainingMs;
    runningDeadline = runningMs() + remainingMs;
  };
  look();
  const timer = setInterval(look, 5);
  await untilAborted(lease.signal);
  clearInterval(timer);
  return { deadline, abortedAt: performance.now(), lateMs: runningMs() - runningDeadline };
}
