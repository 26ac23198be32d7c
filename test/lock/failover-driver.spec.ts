import { Logger } from '@nestjs/common';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { FailoverDriver } from '../../src/lock/drivers/failover.driver.js';
import { LockBackendUnavailableError } from '../../src/lock/lock-errors.js';
import { LockMetrics } from '../../src/lock/lock-metrics.js';
import { LockService } from '../../src/lock/lock.service.js';
import { eventually } from '../setup/eventually.js';
import { MemoryDriver } from './memory.driver.js';

const TIMES = { waitMs: 200, leaseMs: 1_000 };

describe('FailoverDriver', () => {
  beforeAll(() => Logger.overrideLogger(false));

  const request = {
    keys: ['k'],
    owner: 'p.1',
    leaseMs: 1_000,
    floor: 0n,
    spare: 0,
    since: 0,
    heirOf: '',
    timeoutMs: 100,
  };
  const options = { threshold: 2, healthyForMs: 1_000, probeEveryMs: 5 };

  it('never fails open: with both stores away the request fails', async () => {
    const [primary, fallback] = [new MemoryDriver(), new MemoryDriver()];
    primary.failure = fallback.failure = new Error('away');
    const driver = new FailoverDriver(primary, fallback, options, () => undefined);
    const lockMetrics = new LockMetrics(new Metrics());
    const service = new LockService(driver, lockMetrics, { processId: 'p', pollCapMs: 50, commandTimeoutMs: 100 });
    await expect(service.withLock(['k'], TIMES, () => Promise.resolve())).rejects.toBeInstanceOf(
      LockBackendUnavailableError,
    );
  });

  it('takes a grant back while the other store shows the key as held', async () => {
    const [primary, fallback] = [new MemoryDriver(), new MemoryDriver()];
    const moves: string[] = [];
    const driver = new FailoverDriver(primary, fallback, options, (to) => moves.push(to));
    await driver.start({ wake: () => undefined, contend: () => undefined });
    primary.failure = new Error('away');
    for (let attempt = 0; attempt < 2; attempt += 1) await expect(driver.acquire(request)).rejects.toThrow('away');
    expect(await driver.acquire(request)).toMatchObject({ isGranted: true, driver: fallback });
    primary.failure = undefined;
    await eventually('the breaker returns', () => moves.at(-1) === 'returning', { everyMs: 5 });
    // Still held on the fallback, from the time of the outage.
    expect(await driver.acquire({ ...request, owner: 'q.1' })).toMatchObject({ isGranted: false });
    // Its heir need not wait, whichever store it was held in.
    const inherited = await driver.acquire({ ...request, owner: 'q.1', heirOf: 'p' });
    expect(inherited).toMatchObject({ isGranted: true, driver: primary });
    await primary.release({ keys: ['k'], owner: 'q.1', since: 0, token: 0n });
    await fallback.release({ keys: ['k'], owner: 'p.1', since: 0, token: 0n });
    expect(await driver.acquire({ ...request, owner: 'q.2' })).toMatchObject({ isGranted: true, driver: primary });
    await driver.stop();
  });
});
