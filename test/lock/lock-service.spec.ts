import { Logger } from '@nestjs/common';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import type { Lease } from '../../src/lock/lease.js';
import {
  FencedOutError,
  InvalidLockRequestError,
  LeaseLostError,
  LockTimeoutError,
} from '../../src/lock/lock-errors.js';
import {
  CALLBACK_LOCK,
  PAYMENT_LOCK,
  paymentKey,
  REFUND_LOCK,
  STOCK_LOCK,
  stockKey,
} from '../../src/lock/lock-keys.js';
import { familyOf, LockMetrics } from '../../src/lock/lock-metrics.js';
import { LockService } from '../../src/lock/lock.service.js';
import { eventually } from '../setup/eventually.js';
import { MemoryDriver } from './memory.driver.js';
import { gate, runningMs, sleep, smallest, untilAborted } from '../setup/timing.js';

/** Only ends what would never end. */
const TIMES = { waitMs: 30_000, leaseMs: 30_000 };
/** Renewed after half a second. */
const RENEWED = { ...TIMES, leaseMs: 1_500 };
const WAIT_MS = 200;
const done = () => Promise.resolve('done');

describe('LockService', () => {
  let driver: MemoryDriver;
  let metrics: Metrics;
  let service: LockService;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    driver = new MemoryDriver();
    metrics = new Metrics();
    const options = { processId: 'p', pollCapMs: 50, commandTimeoutMs: 10_000 };
    service = new LockService(driver, new LockMetrics(metrics), options);
    await service.start();
  });

  it.each([
    ['an empty key', [''], TIMES],
    ['a key that is too long', ['k'.repeat(513)], TIMES],
    ['a key with a NUL', ['a\0b'], TIMES],
    ['too many keys', Array.from({ length: 2_001 }, (_, index) => `k${index}`), TIMES],
    ['a lease of 0', ['k'], { ...TIMES, leaseMs: 0 }],
    ['a negative lease', ['k'], { ...TIMES, leaseMs: -1 }],
    ['a lease with a fraction', ['k'], { ...TIMES, leaseMs: 1.5 }],
    ['a lease that is no number', ['k'], { ...TIMES, leaseMs: Number.NaN }],
    ['a negative wait', ['k'], { ...TIMES, waitMs: -1 }],
    ['an endless wait', ['k'], { ...TIMES, waitMs: Number.POSITIVE_INFINITY }],
  ])('refuses %s', async (_name, keys, options) => {
    await expect(service.withLock(keys, options, done)).rejects.toBeInstanceOf(InvalidLockRequestError);
    expect(driver.calls).toEqual([]);
  });

  it('releases again what the store did not release', async () => {
    driver.failingReleases = 2;
    await service.withLock(['k'], TIMES, done);
    await eventually('the key is free', async () => !(await driver.isHeld(['k'])));
    expect(driver.calls).toEqual(['acquire', 'release', 'release', 'release']);
  });

  it('locks a key once that is named twice', async () => {
    await service.withLock(['b', 'a', 'b'], TIMES, () => {
      expect(service.held().map(({ key }) => key)).toEqual(['a', 'b']);
      return done();
    });
    expect(driver.calls).toEqual(['acquire', 'release']);
  });

  it('without keys runs the work at once and asks no store', async () => {
    driver.failure = new Error('away');
    const result = await service.withLock([], TIMES, (lease) => {
      lease.assertHeld();
      expect(lease.token).toBe(0n);
      expect(lease.remainingMs()).toBe(Number.POSITIVE_INFINITY);
      return done();
    });
    expect(result).toBe('done');
  });

  it('passes the result and the error of the work on, and releases after both', async () => {
    await expect(service.withLock(['k'], TIMES, done)).resolves.toBe('done');
    await expect(service.withLock(['k'], TIMES, () => Promise.reject(new Error('work')))).rejects.toThrow('work');
    expect(driver.calls).toEqual(['acquire', 'release', 'acquire', 'release']);
    expect(service.held()).toEqual([]);
  });

  it('hands a hold to local successors with rising tokens and without asking the store', async () => {
    const tokens: bigint[] = [];
    await Promise.all(
      Array.from({ length: 20 }, () =>
        service.withLock(['k'], TIMES, (lease) => {
          tokens.push(lease.token);
          return done();
        }),
      ),
    );
    expect(tokens).toEqual([...tokens].sort((a, b) => Number(a - b)));
    expect(new Set(tokens).size).toBe(20);
    expect(driver.calls.length).toBeLessThan(10);
  });

  it('ends a chain of local successors when another process waits', async () => {
    const end = gate();
    const first = service.withLock(['k'], TIMES, () => end.opened);
    const second = service.withLock(['k'], TIMES, done);
    const third = service.withLock(['k'], TIMES, done);
    const [held] = await eventually('it is held', () => service.held(), { until: ({ length }) => length > 0 });
    driver.signals?.contend(held!.owner);
    end.open();
    await Promise.all([first, second, third]);
    expect(driver.calls.slice(0, 3)).toEqual(['acquire', 'release', 'acquire']);
  });

  it('a lease can do nothing after its work', async () => {
    let kept: Lease | undefined;
    await service.withLock(['k'], TIMES, (lease) => {
      kept = lease;
      return done();
    });
    expect(() => kept?.assertHeld()).toThrow(LeaseLostError);
    expect(kept?.remainingMs()).toBe(0);
    expect(kept?.signal.aborted).toBe(true);
  });

  it('aborts the work when the store gave the key away, and still returns its result', async () => {
    driver.renewal = 'lost';
    const result = await service.withLock(['inventory:reserve:x'], RENEWED, async (lease) => {
      expect(await untilAborted(lease.signal)).toBeLessThan(0.8 * RENEWED.leaseMs);
      return 'finished';
    });
    expect(result).toBe('finished');
    expect(await metrics.registry.metrics()).toContain('lock_losses_total{family="inventory:reserve"} 1');
  });

  it('goes on after a renewal that failed once', async () => {
    const renewals = () => driver.calls.filter((call) => call === 'renew').length;
    await service.withLock(['k'], RENEWED, async (lease) => {
      driver.failure = new Error('away');
      await eventually('a renewal that fails', () => renewals() === 1);
      driver.failure = undefined;
      const from = performance.now();
      await eventually('the end of the lease without it', () => performance.now() - from > RENEWED.leaseMs);
      lease.assertHeld();
      expect(renewals()).toBeGreaterThan(2);
    });
  });

  it('renews at a third of the lease, counted from when the last renewal was sent', async () => {
    const renew = driver.renew.bind(driver);
    /** By how much the fourth renewal came too late. */
    const measure = async () => {
      const from = runningMs();
      const sentAt: number[] = [];
      driver.renew = async (holding) => {
        sentAt.push(runningMs() - from);
        await sleep(50); // the store takes its time, which is not added to the interval
        return renew(holding);
      };
      await service.withLock(['k'], { ...TIMES, leaseMs: 450 }, async (lease) => {
        await eventually('four renewals', () => sentAt.length >= 4 || lease.signal.aborted, { everyMs: 5 });
      });
      const lateMs = sentAt.map((ms, index) => ms - (index + 1) * 150);
      return sentAt.length < 4 ? Number.POSITIVE_INFINITY : Math.max(...lateMs.slice(0, 4));
    };
    expect(await smallest(100, measure)).toBeLessThan(100);
  });

  it('has the leases of the contract: a charge is renewed every 20 s', () => {
    expect([STOCK_LOCK, PAYMENT_LOCK, REFUND_LOCK, CALLBACK_LOCK].map(({ leaseMs }) => leaseMs / 1_000)).toEqual([
      10, 60, 60, 30,
    ]);
    expect(PAYMENT_LOCK.leaseMs / 3).toBe(20_000);
  });

  it('an heir takes the key over, and the former holder hears of it at its next renewal', async () => {
    const other = new LockService(driver, new LockMetrics(new Metrics()), {
      processId: 'q',
      pollCapMs: 50,
      commandTimeoutMs: 10_000,
    });
    const working = service.withLock(['k'], RENEWED, async (lease) => {
      expect(await untilAborted(lease.signal)).toBeLessThan(0.8 * RENEWED.leaseMs);
      return lease.token;
    });
    await eventually('it is held', () => service.held().length > 0);
    await expect(other.withLock(['k'], { ...TIMES, waitMs: 0, heirOf: 'x' }, done)).rejects.toBeInstanceOf(
      LockTimeoutError,
    );
    const token = await other.withLock(['k'], { ...TIMES, heirOf: 'x p' }, async (lease) => {
      await working;
      lease.assertHeld();
      return lease.token;
    });
    expect(token).toBeGreaterThan(await working);
  });

  it('does not miss its turn when that is called before the answer that it has to wait', async () => {
    const options = { processId: 'p', pollCapMs: 10_000, commandTimeoutMs: 10_000 };
    const patient = new LockService(driver, new LockMetrics(new Metrics()), options);
    await patient.start();
    const acquire = driver.acquire.bind(driver);
    driver.acquire = (request) => {
      driver.acquire = acquire;
      driver.signals?.wake(request.owner); // on another connection, which may be quicker
      return Promise.resolve({ isGranted: false, since: 1, retryMs: 10_000, blocked: request.keys, driver });
    };
    const from = runningMs();
    await patient.withLock(['k'], TIMES, done);
    expect(runningMs() - from).toBeLessThan(options.pollCapMs / 2);
  });

  it('leaves the queue of the store also if it gave up before it heard that it stands there', async () => {
    const answered = gate();
    driver.acquire = async ({ keys }) => {
      await answered.opened;
      return { isGranted: false, since: 1, retryMs: 1_000, blocked: keys, driver };
    };
    const controller = new AbortController();
    const aborted = service.withLock(['k'], { ...TIMES, signal: controller.signal }, done);
    const refused = service.withLock(['l'], { ...TIMES, waitMs: 0 }, done);
    controller.abort(new Error('gone'));
    answered.open();
    await expect(aborted).rejects.toThrow('gone');
    await expect(refused).rejects.toBeInstanceOf(LockTimeoutError); // it never stood there
    expect(driver.calls).toEqual(['release']);
  });

  it('mints above the fence that a write met', async () => {
    const fence = 5_000_000_000_000_000n;
    const fencedOut = service.withLock(['k'], TIMES, ({ token }) =>
      Promise.reject(new FencedOutError('row', token, fence)),
    );
    await expect(fencedOut).rejects.toBeInstanceOf(FencedOutError);
    expect(await service.withLock(['k'], TIMES, ({ token }) => Promise.resolve(token))).toBeGreaterThan(fence);
  });

  it('says timeout when the key is busy and unavailable when the store is away, within the wait', async () => {
    const end = gate();
    const key = paymentKey('1');
    const holding = service.withLock([key], TIMES, () => end.opened);
    let timeouts = 0;
    const measure = async () => {
      const from = runningMs();
      const refused = service.withLock([key], { ...TIMES, waitMs: WAIT_MS }, done);
      await expect(refused).rejects.toMatchObject({ code: 'LOCK_TIMEOUT' });
      timeouts += 1;
      return runningMs() - from;
    };
    expect(await smallest(WAIT_MS + 100, measure)).toBeLessThan(WAIT_MS + 100);
    end.open();
    await holding;
    driver.failure = new Error('away');
    const away = service.withLock(['k'], { ...TIMES, waitMs: WAIT_MS }, done);
    await expect(away).rejects.toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE' });
    const text = await metrics.registry.metrics();
    expect(text).toContain(`payment_lock_timeout_total ${timeouts}`);
    expect(text).toContain(`lock_timeouts_total{family="payment:order"} ${timeouts}`);
    expect(text).toContain('lock_acquisitions_total{family="other",outcome="unavailable"} 1');
  });

  it('tries once with a wait of 0', async () => {
    const end = gate();
    const holding = service.withLock(['k'], TIMES, () => end.opened);
    await expect(service.withLock(['k'], { ...TIMES, waitMs: 0 }, done)).rejects.toBeInstanceOf(LockTimeoutError);
    end.open();
    await holding;
    await expect(service.withLock(['k'], { ...TIMES, waitMs: 0 }, done)).resolves.toBe('done');
  });

  it('labels by the first two segments of a key', () => {
    expect(familyOf(stockKey('cinema:show:1'))).toBe('inventory:reserve');
    expect(familyOf('lonely')).toBe('other');
  });
});
