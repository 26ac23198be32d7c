import type { Bench } from './conformance.js';
import { POLL_CAP_MS } from './locks.js';
import { gate, sleep } from './timing.js';

export function describeWaiting(bench: Bench): void {
  it('11: a waiter whose notification is lost proceeds within the poll cap', async () => {
    const key = bench.key('dropped');
    const [holder, waiter] = await Promise.all([bench.open(), bench.open()]);
    const end = gate();
    const holding = holder.service.withLock([key], { waitMs: 1_000, leaseMs: 10_000 }, () => end.opened);
    await sleep(50);
    const waiting = waiter.service.withLock([key], { waitMs: 5_000, leaseMs: 10_000 }, () =>
      Promise.resolve(performance.now()),
    );
    await sleep(100);
    await bench.backend().dropListeners();
    const releasedAt = performance.now();
    end.open();
    await holding;
    expect((await waiting) - releasedAt).toBeLessThan(POLL_CAP_MS + 100);
  });

  it.each(['in the process', 'in the store'])(
    '12: a caller that aborts while queued %s leaves nothing behind',
    async (where) => {
      const key = bench.key('aborted');
      const [holder, waiter] = await Promise.all([bench.open(), bench.open()]);
      const end = gate();
      const holding = holder.service.withLock([key], { waitMs: 1_000, leaseMs: 5_000 }, () => end.opened);
      await sleep(50);
      const { service } = where === 'in the store' ? waiter : holder;
      const controller = new AbortController();
      let hasRun = false;
      const options = { waitMs: 5_000, leaseMs: 5_000, signal: controller.signal };
      const waiting = service.withLock([key], options, () => {
        hasRun = true;
        return Promise.resolve();
      });
      setTimeout(() => controller.abort(new Error('no longer wanted')), 100);
      const from = performance.now();
      await expect(waiting).rejects.toThrow('no longer wanted');
      expect(performance.now() - from).toBeLessThan(250);
      await sleep(50);
      expect((await waiter.service.list()).find((lock) => lock.key === key)).toMatchObject({ waiters: 0 });
      end.open();
      await holding;
      await expect(
        waiter.service.withLock([key], { waitMs: 50, leaseMs: 1_000 }, () => Promise.resolve(1)),
      ).resolves.toBe(1);
      expect(hasRun).toBe(false);
      expect(waiter.service.held()).toEqual([]);
    },
  );

  it('serves in the order of arrival, also across instances', async () => {
    const key = bench.key('fifo');
    const instances = await Promise.all([bench.open(), bench.open(), bench.open()]);
    const end = gate();
    const holding = instances[0].service.withLock([key], { waitMs: 1_000, leaseMs: 5_000 }, () => end.opened);
    await sleep(50);
    const served: number[] = [];
    const waiting = [1, 2, 0].map(async (instance, order) => {
      await sleep(order * 60);
      await instances[instance]!.service.withLock([key], { waitMs: 5_000, leaseMs: 5_000 }, async () => {
        served.push(order);
        await sleep(5);
      });
    });
    await sleep(250);
    end.open();
    await Promise.all([holding, ...waiting]);
    // The third waits inside the holder's process and may not pass those who wait in the store.
    expect(served).toEqual([0, 1, 2]);
  });

  it('the wait is spent once: a request that waits in two layers ends at its one deadline', async () => {
    const key = bench.key('deadline');
    const [holder, waiter] = await Promise.all([bench.open(), bench.open()]);
    const end = gate();
    const holding = holder.service.withLock([key], { waitMs: 1_000, leaseMs: 5_000 }, () => end.opened);
    await sleep(50);
    const from = performance.now();
    const attempts = [1, 2].map(() =>
      waiter.service.withLock([key], { waitMs: 250, leaseMs: 5_000 }, () => Promise.resolve()),
    );
    await Promise.all(attempts.map((attempt) => expect(attempt).rejects.toThrow('not free within 250 ms')));
    expect(performance.now() - from).toBeGreaterThan(240);
    expect(performance.now() - from).toBeLessThan(350);
    end.open();
    await holding;
  });
}
