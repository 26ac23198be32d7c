import { Logger } from '@nestjs/common';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { FailoverDriver } from '../../src/lock/drivers/failover.driver.js';
import { FencedOutError, LockBackendUnavailableError, LockTimeoutError } from '../../src/lock/lock-errors.js';
import { LockMetrics } from '../../src/lock/lock-metrics.js';
import { LockService } from '../../src/lock/lock.service.js';
import { eventually } from '../setup/eventually.js';
import { createTestDatabase, TestDatabase } from '../setup/test-database.js';
import { Backend, startBackend } from './backends.js';
import { createDriver, newProcessId, POLL_CAP_MS } from './locks.js';
import { runningMs } from '../setup/timing.js';

const STOCK = 1_000_000;
const WAIT_MS = 5_000;
const LANES = 16;
const LEASE_MS = 1_000;
const FAILOVER = { threshold: 3, healthyForMs: 1.2 * LEASE_MS, probeEveryMs: 50 };

interface Instance {
  readonly service: LockService;
  readonly metrics: Metrics;
  stop(): Promise<void>;
}

/** 13. Does not apply to the postgres driver: it is what the others fall back to. */
describe.each(['redis', 'redlock'] as const)('13: %s → postgres and back under load', (kind) => {
  let backend: Backend;
  let database: TestDatabase;
  let instances: Instance[];

  beforeAll(async () => {
    Logger.overrideLogger(false);
    [backend, database] = await Promise.all([startBackend(kind), createTestDatabase()]);
    await database.query('CREATE TABLE guarded (key text PRIMARY KEY, value integer NOT NULL, fence bigint NOT NULL)');
    await database.query(`INSERT INTO guarded VALUES ('sku', ${STOCK}, 0)`);
    instances = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await backend.stop();
    await database.drop();
  });

  async function start(): Promise<Instance> {
    const processId = newProcessId();
    const primary = createDriver(backend.direct, processId);
    const fallback = createDriver({ kind: 'postgres', url: database.url }, processId);
    const metrics = new Metrics();
    const lockMetrics = new LockMetrics(metrics);
    const driver = new FailoverDriver(primary.driver, fallback.driver, FAILOVER, (to) => lockMetrics.breakerMoved(to));
    const options = { processId, pollCapMs: POLL_CAP_MS, commandTimeoutMs: 10_000 };
    const service = new LockService(driver, lockMetrics, options);
    await service.start();
    return {
      service,
      metrics,
      stop: async () => {
        await service.stop();
        await fallback.close();
      },
    };
  }

  const allUse = (driver: string) =>
    eventually(`${driver} is used`, () => instances.every(({ service }) => service.driverName === driver));

  /** As the stock update does it: conditional, guarded by the fence, and it stores the fence. */
  async function buyOne(service: LockService): Promise<void> {
    await service.withLock(['inventory:reserve:sku'], { waitMs: WAIT_MS, leaseMs: LEASE_MS }, async ({ token }) => {
      const update = `UPDATE guarded SET value = value - 1, fence = $1 WHERE key = 'sku' AND fence <= $1 AND value > 0 RETURNING value`;
      const rows = await database.query(update, [token.toString()]);
      if (rows.length === 0) throw new FencedOutError('sku', token);
    });
  }

  const transition = (to: string) => `lock_breaker_transitions_total{to="${to}"} 1`;

  it('no oversell, no request hangs, breaker transitions are counted', async () => {
    let isOver = false;
    let sold = 0;
    let slowestMs = 0;
    const failures: unknown[] = [];
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      while (!isOver) {
        const from = runningMs();
        try {
          await buyOne(instances[lane % 2]!.service);
          sold += 1;
        } catch (error) {
          failures.push(error);
        }
        slowestMs = Math.max(slowestMs, runningMs() - from);
      }
    });
    const moreSold = () => {
      const before = sold;
      return eventually('they buy', () => sold > before + LANES);
    };
    await moreSold();
    await backend.kill();
    await allUse('postgres');
    await moreSold();
    await backend.restart();
    await allUse(kind);
    for (const { metrics } of instances) {
      const hasClosed = async () => (await metrics.registry.metrics()).includes(transition('closed'));
      await eventually('the breaker is closed', hasClosed);
    }
    await moreSold();
    await allUse(kind);
    isOver = true;
    await Promise.all(lanes);
    const [row] = await database.query<{ value: number }>('SELECT value FROM guarded');
    expect(row?.value).toBe(STOCK - sold);
    expect(slowestMs).toBeLessThan(2 * WAIT_MS); // the wait, and the work itself
    // Around the switch a holder may be fenced out; nothing else may go wrong, and never for long.
    const unexpected = failures.filter(
      (error) =>
        !(
          error instanceof FencedOutError ||
          error instanceof LockTimeoutError ||
          error instanceof LockBackendUnavailableError
        ),
    );
    expect(unexpected).toEqual([]);
    expect(failures.length).toBeLessThan(LANES * 4);
    for (const { metrics } of instances) {
      const text = await metrics.registry.metrics();
      for (const to of ['open', 'returning', 'closed']) {
        expect(text).toContain(transition(to));
      }
    }
  });
});
