import { LockBackendUnavailableError, LockTimeoutError } from '../../src/lock/lock-errors.js';
import { eventually } from '../setup/eventually.js';
import type { Bench } from './conformance.js';
import { hold, PATIENT_MS, POLL_CAP_MS, untilWaiting } from './locks.js';
import { runningMs, sleep, smallest } from '../setup/timing.js';

const TERMS = { waitMs: PATIENT_MS, leaseMs: PATIENT_MS };
/** Far longer than one command takes, so that the store is not taken for one that is away. */
const WAIT_MS = 1_500;
const ABORTED_WITHIN_MS = 150;

export function describeWaiting(bench: Bench): void {
  it('11: a waiter whose notification is lost proceeds within the poll cap', async () => {
    const measure = async (attempt: number) => {
      const key = bench.key(`dropped:${attempt}`);
      const [holder, waiter] = await Promise.all([bench.open(), bench.open('proxied')]);
      const held = await hold(holder, [key], TERMS);
      const waiting = waiter.service.withLock([key], TERMS, () => Promise.resolve(runningMs()));
      await untilWaiting(holder, key, 1);
      await bench.backend().dropListeners();
      const releasedAt = runningMs();
      await held.release();
      return (await waiting) - releasedAt;
    };
    expect(await smallest(POLL_CAP_MS + 100, measure)).toBeLessThan(POLL_CAP_MS + 100);
  });

  it.each(['in the process', 'in the store'])(
    '12: a caller that aborts while queued %s leaves nothing behind',
    async (where) => {
      const measure = async (attempt: number) => {
        const key = bench.key(`aborted:${attempt}`);
        const [holder, waiter] = await Promise.all([bench.open(), bench.open()]);
        const held = await hold(holder, [key], TERMS);
        const { service } = where === 'in the store' ? waiter : holder;
        const controller = new AbortController();
        let hasRun = false;
        const waiting = service.withLock([key], { ...TERMS, signal: controller.signal }, () => {
          hasRun = true;
          return Promise.resolve();
        });
        await untilWaiting(holder, key, 1);
        const from = runningMs();
        controller.abort(new Error('no longer wanted'));
        await expect(waiting).rejects.toThrow('no longer wanted');
        const abortedMs = runningMs() - from;
        await untilWaiting(holder, key, 0);
        await held.release();
        await expect(waiter.service.withLock([key], TERMS, () => Promise.resolve(1))).resolves.toBe(1);
        expect(hasRun).toBe(false);
        expect(waiter.service.held()).toEqual([]);
        return abortedMs;
      };
      expect(await smallest(ABORTED_WITHIN_MS, measure)).toBeLessThan(ABORTED_WITHIN_MS);
    },
  );

  it('serves in the order of arrival, also across instances', async () => {
    const key = bench.key('fifo');
    const instances = await Promise.all([bench.open(), bench.open(), bench.open()]);
    const held = await hold(instances[0], [key], TERMS);
    const served: number[] = [];
    const waiting: Promise<void>[] = [];
    for (const [order, instance] of [1, 2, 0].entries()) {
      const serve = async () => {
        served.push(order);
        await sleep(5);
      };
      waiting.push(instances[instance]!.service.withLock([key], TERMS, serve));
      await untilWaiting(instances[0], key, order + 1);
    }
    await Promise.all([held.release(), ...waiting]);
    // The third waits inside the holder's process and may not pass those who wait in the store.
    expect(served).toEqual([0, 1, 2]);
  });

  it('the wait is spent once: a request that waits in two layers ends at its one deadline', async () => {
    const key = bench.key('deadline');
    const [holder, waiter] = await Promise.all([bench.open(), bench.open()]);
    const held = await hold(holder, [key], TERMS);
    // A store that cannot answer at all in time, on a machine that is too busy, is unavailable: that says nothing here.
    const spent = await eventually('answers of the store in time', async () => {
      const from = performance.now();
      const fromRunning = runningMs();
      const attempts = [1, 2].map(() =>
        waiter.service.withLock([key], { ...TERMS, waitMs: WAIT_MS }, () => Promise.resolve()),
      );
      const failures = (await Promise.allSettled(attempts)).map((each) => each.status === 'rejected' && each.reason);
      if (failures.some((failure) => failure instanceof LockBackendUnavailableError)) return undefined;
      return { failures, ms: performance.now() - from, runningMs: runningMs() - fromRunning };
    });
    for (const failure of spent.failures) expect(failure).toBeInstanceOf(LockTimeoutError);
    expect(spent.ms).toBeGreaterThan(WAIT_MS - 10);
    // Spent in each layer, it would be twice as long.
    expect(spent.runningMs).toBeLessThan(1.5 * WAIT_MS);
    await held.release();
  });
}
