import type { Bench } from './conformance.js';
import { POLL_CAP_MS } from './locks.js';
import { gate, quantile, sleep } from './timing.js';
import { Worker } from './worker.js';

const PROCESSES = 4;
const WAITERS = 200;
/** acquire that waits, acquire that succeeds, release, and room for a poll. */
const COMMANDS_PER_HAND_OVER = 5;

export function describeWaiting(bench: Bench): void {
  it('10: 200 waiters in 4 processes are all served, evenly, with few commands', async () => {
    const input = { spec: bench.backend().direct, key: bench.key('crowd'), waiters: WAITERS / PROCESSES, sectionMs: 1 };
    const workers = await Promise.all(Array.from({ length: PROCESSES }, () => Worker.start('crowd', input)));
    workers.forEach((worker) => worker.go());
    const results = await Promise.all(workers.map((worker) => worker.next<{ waits: number[]; commands: number }>()));
    await Promise.all(workers.map((worker) => worker.end()));
    const waits = results.flatMap((result) => result.waits);
    expect(waits).toHaveLength(WAITERS);
    expect(quantile(waits, 0.99) / quantile(waits, 0.5)).toBeLessThan(5);
    const commands = results.reduce((sum, result) => sum + result.commands, 0);
    expect(commands / WAITERS).toBeLessThan(COMMANDS_PER_HAND_OVER);
    // Processes take turns: none is served only after the others are done.
    const last = results.map((result) => Math.max(...result.waits));
    expect(Math.min(...last) / Math.max(...last)).toBeGreaterThan(0.5);
  }, 60_000);

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
      waiter.service.withLock([key], { waitMs: 400, leaseMs: 5_000 }, () => Promise.resolve()),
    );
    for (const attempt of attempts) await expect(attempt).rejects.toThrow('not free within 400 ms');
    expect(performance.now() - from).toBeGreaterThan(390);
    expect(performance.now() - from).toBeLessThan(500);
    end.open();
    await holding;
  });
}
