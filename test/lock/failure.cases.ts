import type { Lease } from '../../src/lock/lease.js';
import { LeaseLostError, LockBackendUnavailableError } from '../../src/lock/lock-errors.js';
import { eventually } from '../setup/eventually.js';
import type { Bench } from './conformance.js';
import { PATIENT_MS } from './locks.js';
import { runningMs, sleep, smallest, untilAborted } from '../setup/timing.js';

/** Its renewals are due at a third, so that a machine which stalls for a second does not end it. */
const LEASE_MS = 1_800;
const LATE_MS = 100;
/** After a pause the store answers what it was asked meanwhile, before the next case begins. */
const SETTLE_MS = 100;
const REPLY_DELAY_MS = 250;
const GHOST_LEASE_MS = 2 * PATIENT_MS;
const HOUR_MS = 3_600_000;
const done = () => Promise.resolve(1);

export function describeFailures(bench: Bench): void {
  it('3: store SIGSTOPped while held: the work is aborted at the end of the lease, not when the store answers', async () => {
    const measure = async (attempt: number) => {
      const { service } = await bench.open('proxied');
      let lateMs = 0;
      let settledAt = 0;
      await service.withLock(
        [bench.key(`stopped:${attempt}`)],
        { waitMs: PATIENT_MS, leaseMs: LEASE_MS },
        async (lease) => {
          await untilRenewed(lease);
          const pausedAt = performance.now();
          bench.backend().pause();
          const end = await watchToTheEnd(lease);
          // A renewal that was answered just before the pause counts; one that was not cannot have moved the deadline.
          expect(end.deadline).toBeLessThan(pausedAt + LEASE_MS);
          expect(lease.signal.reason).toBeInstanceOf(LeaseLostError);
          expect(() => lease.assertHeld()).toThrow(LeaseLostError);
          expect(lease.remainingMs()).toBe(0);
          lateMs = end.lateMs;
          settledAt = runningMs();
        },
      );
      const settlingMs = runningMs() - settledAt;
      bench.backend().resume();
      await sleep(SETTLE_MS);
      return Math.max(lateMs, settlingMs);
    };
    expect(await smallest(LATE_MS, measure)).toBeLessThan(LATE_MS);
  });

  it('4: store SIGKILLed while held: the same, and no unhandled rejection', async () => {
    const { service } = await bench.open('proxied');
    await service.withLock([bench.key('killed')], { waitMs: PATIENT_MS, leaseMs: LEASE_MS }, async (lease) => {
      await bench.backend().kill();
      const { lateMs } = await watchToTheEnd(lease);
      expect(lateMs).toBeLessThan(LATE_MS);
      expect(() => lease.assertHeld()).toThrow(LeaseLostError);
    });
    const refusalMs = async (attempt: number) => {
      const from = runningMs();
      const refused = service.withLock([bench.key(`away:${attempt}`)], { waitMs: 300, leaseMs: 1_000 }, done);
      await expect(refused).rejects.toBeInstanceOf(LockBackendUnavailableError);
      return runningMs() - from;
    };
    expect(await smallest(300 + LATE_MS, refusalMs)).toBeLessThan(300 + LATE_MS);
    await bench.backend().restart();
    // The same instance works again without a restart of its own.
    await expect(service.withLock([bench.key('back')], { waitMs: PATIENT_MS, leaseMs: LEASE_MS }, done)).resolves.toBe(
      1,
    );
  });

  it.each([
    ['an acquire whose answer comes after the lease is an error, and the key is free again', 150],
    ['the same with a long lease: the compensating release frees the key before the lease would', GHOST_LEASE_MS],
  ])('6: %s', async (_, leaseMs) => {
    const [slow, other] = await Promise.all([bench.open('proxied'), bench.open()]);
    const key = bench.key('slow');
    const { wires } = bench.backend();
    wires.forEach((wire) => (wire.replyDelayMs = REPLY_DELAY_MS));
    const acquired = slow.service.withLock([key], { waitMs: 100, leaseMs }, done);
    await expect(acquired).rejects.toBeInstanceOf(LockBackendUnavailableError);
    wires.forEach((wire) => (wire.replyDelayMs = 0));
    await expect(other.service.withLock([key], { waitMs: PATIENT_MS, leaseMs: 1_000 }, done)).resolves.toBe(1);
    await sleep(REPLY_DELAY_MS);
  });

  it('14: the wall clock moves by an hour, back and forth: deadlines do not', async () => {
    const { service } = await bench.open();
    const realNow = Date.now;
    let pausedAt = Number.POSITIVE_INFINITY;
    let held = 0;
    /** Under a lease that was taken at this hour and renewed at the others. */
    const work = async (shiftMs: number) => {
      Date.now = () => realNow() + shiftMs;
      const terms = { waitMs: PATIENT_MS, leaseMs: LEASE_MS };
      return service.withLock([bench.key(`clock:${shiftMs}`)], terms, async (lease) => {
        expect(lease.remainingMs()).toBeLessThanOrEqual(LEASE_MS);
        await untilRenewed(lease);
        held += 1;
        await eventually('the store is paused', () => pausedAt < Number.POSITIVE_INFINITY, { everyMs: 5 });
        lease.assertHeld();
        const { deadline, abortedAt, lateMs } = await watchToTheEnd(lease);
        expect(deadline).toBeGreaterThan(pausedAt);
        expect(deadline).toBeLessThan(pausedAt + LEASE_MS);
        expect(abortedAt).toBeGreaterThan(deadline - LATE_MS);
        expect(lateMs).toBeLessThan(LATE_MS);
      });
    };
    try {
      const works = [work(HOUR_MS), work(-HOUR_MS)];
      Date.now = () => realNow() + HOUR_MS;
      await eventually('both are held and renewed', () => held === 2, { everyMs: 5 });
      bench.backend().pause();
      pausedAt = performance.now();
      Date.now = () => realNow() - HOUR_MS;
      await Promise.all(works);
    } finally {
      Date.now = realNow;
      bench.backend().resume();
    }
    await sleep(SETTLE_MS);
  });
}

/** Its remaining time grows when a renewal was answered, and at no other time. */
async function untilRenewed(lease: Lease): Promise<void> {
  let lowest = lease.remainingMs();
  await eventually(
    'a renewal',
    () => {
      const remainingMs = lease.remainingMs();
      lease.assertHeld();
      if (remainingMs > lowest) return true;
      lowest = remainingMs;
      return false;
    },
    { everyMs: 5 },
  );
}

/** The lease's own deadline, as it stood last, when the work was told, and how late that was, stalls not counted. */
async function watchToTheEnd(lease: Lease): Promise<{ deadline: number; abortedAt: number; lateMs: number }> {
  let deadline = Number.POSITIVE_INFINITY;
  let runningDeadline = Number.POSITIVE_INFINITY;
  const look = () => {
    const [now, running] = [performance.now(), runningMs()];
    const remainingMs = lease.remainingMs();
    if (remainingMs <= 0) return;
    deadline = now + remainingMs;
    runningDeadline = running + remainingMs;
  };
  look();
  const timer = setInterval(look, 5);
  await untilAborted(lease.signal);
  clearInterval(timer);
  return { deadline, abortedAt: performance.now(), lateMs: runningMs() - runningDeadline };
}
