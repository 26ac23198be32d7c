import type { Bench } from './conformance.js';
import { hold, POLL_CAP_MS, untilWaiting } from './locks.js';
import { runningMs, sleep } from './timing.js';

export function describeWaiting(bench: Bench): void {
  it('11: a waiter whose notification is lost proceeds within the poll cap', async () => {
    const key = bench.key('dropped');
    const [holder, waiter] = await Promise.all([bench.open(), bench.open()]);
    const held = await hold(holder, [key], { waitMs: 1_000, leaseMs: 10_000 });
    const waiting = waiter.service.withLock([key], { waitMs: 5_000, leaseMs: 10_000 }, () =>
      Promise.resolve(runningMs()),
    );
    await untilWaiting(holder, key, 1);
    await bench.backend().dropListeners();
    const releasedAt = runningMs();
    await held.release();
    expect((await waiting) - releasedAt).toBeLessThan(POLL_CAP_MS + 100);
  });

  it.each(['in the process', 'in the store'])(
    '12: a caller that aborts while queued %s leaves nothing behind',
    async (where) => {
      const key = bench.key('aborted');
      const [holder, waiter] = await Promise.all([bench.open(), bench.open()]);
      const held = await hold(holder, [key], { waitMs: 1_000, leaseMs: 5_000 });
      const { service } = where === 'in the store' ? waiter : holder;
      const controller = new AbortController();
      let hasRun = false;
      const options = { waitMs: 5_000, leaseMs: 5_000, signal: controller.signal };
      const waiting = service.withLock([key], options, () => {
        hasRun = true;
        return Promise.resolve();
      });
      await untilWaiting(holder, key, 1);
      const from = runningMs();
      controller.abort(new Error('no longer wanted'));
      await expect(waiting).rejects.toThrow('no longer wanted');
      expect(runningMs() - from).toBeLessThan(150);
      await untilWaiting(holder, key, 0);
      await held.release();
      await expect(
        waiter.service.withLock([key], { waitMs: 500, leaseMs: 1_000 }, () => Promise.resolve(1)),
      ).resolves.toBe(1);
      expect(hasRun).toBe(false);
      expect(waiter.service.held()).toEqual([]);
    },
  );

  it('serves in the order of arrival, also across instances', async () => {
    const key = bench.key('fifo');
    const instances = await Promise.all([bench.open(), bench.open(), bench.open()]);
    const held = await hold(instances[0], [key], { waitMs: 1_000, leaseMs: 5_000 });
    const served: number[] = [];
    const waiting: Promise<void>[] = [];
    for (const [order, instance] of [1, 2, 0].entries()) {
      const serve = async () => {
        served.push(order);
        await sleep(5);
      };
      waiting.push(instances[instance]!.service.withLock([key], { waitMs: 5_000, leaseMs: 5_000 }, serve));
      await untilWaiting(instances[0], key, order + 1);
    }
    await Promise.all([held.release(), ...waiting]);
    // The third waits inside the holder's process and may not pass those who wait in the store.
    expect(served).toEqual([0, 1, 2]);
  });

  it('the wait is spent once: a request that waits in two layers ends at its one deadline', async () => {
    const key = bench.key('deadline');
    const [holder, waiter] = await Promise.all([bench.open(), bench.open()]);
    const held = await hold(holder, [key], { waitMs: 1_000, leaseMs: 5_000 });
    const from = performance.now();
    const fromRunning = runningMs();
    const attempts = [1, 2].map(() =>
      waiter.service.withLock([key], { waitMs: 250, leaseMs: 5_000 }, () => Promise.resolve()),
    );
    await Promise.all(attempts.map((attempt) => expect(attempt).rejects.toThrow('not free within 250 ms')));
    expect(performance.now() - from).toBeGreaterThan(240);
    expect(runningMs() - fromRunning).toBeLessThan(350);
    await held.release();
  });
}
