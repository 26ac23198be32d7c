import { Metrics } from '../../src/platform/metrics/metrics.js';
import { FailoverDriver } from '../../src/lock/drivers/failover.driver.js';
import { FencedOutError, LockBackendUnavailableError, LockTimeoutError } from '../../src/lock/lock-errors.js';
import { LockMetrics } from '../../src/lock/lock-metrics.js';
import { LockService } from '../../src/lock/lock.service.js';
import { eventually } from '../setup/eventually.js';
import { createTestDatabase, TestDatabase } from '../setup/test-database.js';
import { runningMs, sleep } from '../setup/timing.js';
import type { DriverSpec } from './backends.js';
import { createDriver, newProcessId, POLL_CAP_MS } from './locks.js';

const STOCK = 1_000_000;
const WAIT_MS = 5_000;
const LANES = 16;
const FAILOVER = { healthyForMs: 1_200, probeEveryMs: 50 };
const INSTANCES = 2;
/** As a client does who was told to. */
const COME_AGAIN_MS = 20;

interface Instance {
  readonly service: LockService;
  readonly metrics: Metrics;
  stop(): Promise<void>;
}

export interface BreakerTerms {
  /** Failures in a row that open the breaker. */
  readonly threshold: number;
  readonly commandTimeoutMs: number;
  readonly leaseMs: number;
}

/** Instances with Postgres behind their lock store, and lanes that buy one unit after another through them. */
export class Buyers {
  sold = 0;
  private slowestMs = 0;
  private isOver = false;
  private readonly failures: unknown[] = [];
  private lanes: Promise<void>[] = [];

  private constructor(
    private readonly database: TestDatabase,
    readonly instances: readonly Instance[],
    private readonly leaseMs: number,
  ) {}

  static async start(spec: DriverSpec, terms: BreakerTerms): Promise<Buyers> {
    const database = await createTestDatabase();
    await database.query('CREATE TABLE guarded (key text PRIMARY KEY, value integer NOT NULL, fence bigint NOT NULL)');
    await database.query(`INSERT INTO guarded VALUES ('sku', ${STOCK}, 0)`);
    const instances = Array.from({ length: INSTANCES }, () => startInstance(spec, database.url, terms));
    const buyers = new Buyers(database, await Promise.all(instances), terms.leaseMs);
    buyers.lanes = Array.from({ length: LANES }, (_, lane) => buyers.buyOn(lane));
    return buyers;
  }

  /** Every lane has bought, and one of them again. */
  async moreSold(): Promise<void> {
    const before = this.sold;
    await eventually('they buy', () => this.sold > before + LANES, { everyMs: 5 });
  }

  async allUse(driver: string): Promise<void> {
    await eventually(`${driver} is used`, () => this.instances.every(({ service }) => service.driverName === driver));
  }

  /** How often the breakers moved there, of all instances. */
  async transitions(to: string): Promise<number[]> {
    const texts = await Promise.all(this.instances.map(({ metrics }) => metrics.registry.metrics()));
    const count = new RegExp(`^lock_breaker_transitions_total\\{to="${to}"\\} (\\d+)`, 'm');
    return texts.map((text) => Number(count.exec(text)?.[1] ?? 0));
  }

  async allClosed(): Promise<void> {
    await eventually('the breakers are closed', async () => {
      const [opened, closed] = await Promise.all([this.transitions('open'), this.transitions('closed')]);
      return closed.every((count, index) => count === opened[index]);
    });
  }

  /** Ends the lanes, and says what must hold whatever happened. */
  async expectConsistency(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.lanes);
    const [row] = await this.database.query<{ value: number }>('SELECT value FROM guarded');
    expect(row?.value).toBe(STOCK - this.sold);
    expect(this.slowestMs).toBeLessThan(2 * WAIT_MS); // the wait, and the work itself
    // Around a switch a holder may be fenced out, and who finds no store has to come again. Nothing else may go wrong, and
    // it is the exception. Not a number: how long a switch takes depends on the machine.
    expect(this.failures.filter((error) => !isExpected(error))).toEqual([]);
    process.stdout.write(`${this.sold} sold; failed: ${JSON.stringify(tally(this.failures))}\n`);
    expect(this.failures.length).toBeLessThan(this.sold);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.lanes);
    await Promise.all(this.instances.map((instance) => instance.stop()));
    await this.database.drop();
  }

  private async buyOn(lane: number): Promise<void> {
    const { service } = this.instances[lane % INSTANCES]!;
    while (!this.isOver) {
      const from = runningMs();
      try {
        await this.buyOne(service);
        this.sold += 1;
      } catch (error) {
        this.failures.push(error);
        await sleep(COME_AGAIN_MS);
      }
      this.slowestMs = Math.max(this.slowestMs, runningMs() - from);
    }
  }

  /** As the stock update does it: conditional, guarded by the fence, and it stores the fence. */
  private async buyOne(service: LockService): Promise<void> {
    const times = { waitMs: WAIT_MS, leaseMs: this.leaseMs };
    await service.withLock(['inventory:reserve:sku'], times, async ({ token }) => {
      const update = `UPDATE guarded SET value = value - 1, fence = $1 WHERE key = 'sku' AND fence <= $1 AND value > 0 RETURNING value`;
      const rows = await this.database.query(update, [token.toString()]);
      if (rows.length === 0) throw new FencedOutError('sku', token);
    });
  }
}

async function startInstance(spec: DriverSpec, databaseUrl: string, terms: BreakerTerms): Promise<Instance> {
  const processId = newProcessId();
  const primary = createDriver(spec, processId);
  const fallback = createDriver({ kind: 'postgres', url: databaseUrl }, processId);
  const metrics = new Metrics();
  const lockMetrics = new LockMetrics(metrics);
  const options = { ...FAILOVER, threshold: terms.threshold };
  const driver = new FailoverDriver(primary.driver, fallback.driver, options, (to) => lockMetrics.breakerMoved(to));
  const { commandTimeoutMs } = terms;
  const service = new LockService(driver, lockMetrics, { processId, pollCapMs: POLL_CAP_MS, commandTimeoutMs });
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

function tally(failures: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const failure of failures) {
    const name = failure instanceof Error ? failure.constructor.name : String(failure);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function isExpected(error: unknown): boolean {
  return (
    error instanceof FencedOutError || error instanceof LockTimeoutError || error instanceof LockBackendUnavailableError
  );
}
