import { Logger } from '@nestjs/common';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { LeaseLostError, LockTimeoutError } from '../../src/lock/lock-errors.js';
import { LockMetrics } from '../../src/lock/lock-metrics.js';
import { LockService } from '../../src/lock/lock.service.js';
import { LockedBatches } from '../../src/lock/locked-batches.js';
import { eventually } from '../setup/eventually.js';
import { MemoryDriver } from './memory.driver.js';
import { gate, sleep } from '../setup/timing.js';

const TIMES = { waitMs: 20_000, leaseMs: 60_000 };

/** Two processes on one store: one holds `blocked` and does not give it back. */
describe('a key that another process does not give back', () => {
  let driver: MemoryDriver;
  let here: LockService;
  let free: ReturnType<typeof gate>;
  let held: Promise<unknown>;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    driver = new MemoryDriver();
    const service = async (processId: string) => {
      const locks = new LockService(driver, new LockMetrics(new Metrics()), {
        processId,
        pollCapMs: 50,
        commandTimeoutMs: 1_000,
      });
      await locks.start();
      return locks;
    };
    const elsewhere = await service('elsewhere');
    here = await service('here');
    free = gate();
    const taken = gate();
    held = elsewhere.withLock(['blocked'], TIMES, () => {
      taken.open();
      return free.opened;
    });
    await taken.opened;
  });
  afterEach(async () => {
    free.open();
    await held;
  });

  const keysOf = (item: string) => item.split('+');
  const batches = (waitMs = TIMES.waitMs) => {
    const served: string[][] = [];
    const locked = new LockedBatches<string, string>(here, {
      batching: { maxBatch: 10, maxInFlight: 1 },
      maxKeys: 100,
      keysOf,
      termsOf: () => ({ ...TIMES, waitMs }),
      work: (items) => {
        served.push([...items]);
        if (items.includes('poison')) throw new Error('poison');
        return Promise.resolve(items.map((item) => `${item}!`));
      },
    });
    return { served, run: (item: string) => locked.run(item) };
  };

  it('is left out of a set of keys, with those who want it', async () => {
    const items = ['a', 'blocked', 'b', 'a+blocked'];
    const { blocked, result } = await here.withFreeKeys(items, keysOf, TIMES, (rest) => Promise.resolve([...rest]));
    expect(result).toEqual(['a', 'b']);
    expect(blocked).toEqual(['blocked', 'a+blocked']);
    const nobody = await here.withFreeKeys(['blocked'], keysOf, TIMES, () => Promise.reject(new Error('never run')));
    expect(nobody).toEqual({ blocked: ['blocked'] });
  });

  it('delays only those members of a batch who want it; who has come until it is free shares one batch', async () => {
    const { served, run } = batches();
    const first = [run('a'), run('blocked'), run('b')];
    expect(await Promise.all([first[0], first[2]])).toEqual(['a!', 'b!']);
    const second = [run('blocked'), run('c')];
    expect(await second[1]).toBe('c!');
    free.open();
    expect(await Promise.all([first[1], second[0]])).toEqual(['blocked!', 'blocked!']);
    expect(served).toEqual([['a', 'b'], ['c'], ['blocked', 'blocked']]);
    await held;
    expect(await run('blocked')).toBe('blocked!'); // and is like any other again
  });

  it('is refused to each after the wait of its own, and the key is not left locked', async () => {
    const { run, served } = batches(150);
    await expect(run('blocked')).rejects.toBeInstanceOf(LockTimeoutError);
    await expect(run('a+blocked')).rejects.toBeInstanceOf(LockTimeoutError);
    expect(await run('a')).toBe('a!');
    expect(served).toEqual([['a']]);
  });

  it('a member of a waiting crowd that cannot succeed hurts none of the others', async () => {
    const { run } = batches();
    const all = [run('blocked'), run('blocked')];
    const poison = run('poison');
    await expect(poison).rejects.toThrow('poison');
    free.open();
    expect(await Promise.all(all)).toEqual(['blocked!', 'blocked!']);
  });

  it('does not keep its other keys from the rest of the process, however long that takes', async () => {
    const waiting = here.withLock(['a', 'blocked'], TIMES, () => Promise.resolve('at last'));
    await eventually('that it is known to be blocked', () => Promise.resolve(here.isBlocked('blocked') || undefined));
    for (let round = 0; round < 10; round += 1) {
      await here.withLock(['a'], TIMES, () => sleep(10));
      await sleep(20); // the waiter looks again between the rounds
    }
    free.open();
    expect(await waiting).toBe('at last');
    expect(here.isBlocked('blocked')).toBe(false);
  });
});

describe('work that takes too long', () => {
  it('loses its lease, which is not renewed beyond the time that the work may take', async () => {
    Logger.overrideLogger(false);
    const driver = new MemoryDriver();
    const metrics = new LockMetrics(new Metrics());
    const locks = new LockService(driver, metrics, { processId: 'p', pollCapMs: 50, commandTimeoutMs: 1_000 });
    await locks.start();
    const lost = await locks.withLock(['k'], { waitMs: 1_000, leaseMs: 300, workMs: 500 }, async (lease) => {
      while (!lease.signal.aborted) await sleep(10);
      return lease.signal.reason as Error;
    });
    expect(lost).toBeInstanceOf(LeaseLostError);
    expect(lost.message).toContain('its work took too long');
    expect(driver.calls.filter((call) => call === 'renew').length).toBeGreaterThan(0);
  });
});
