/**
 * A process of its own that uses the built lock module: `node lock-worker.mjs <JSON of the driver>`. It says "ready" when
 * it is connected. A line of JSON on its standard input is a job; what came of it is one line of JSON on its output.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import readline from 'node:readline';
import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { Metrics } from '../../dist/src/platform/metrics/metrics.js';
import { createEtcdDriver } from '../../dist/src/lock/drivers/etcd/etcd.driver.js';
import { PostgresDriver } from '../../dist/src/lock/drivers/postgres/postgres.driver.js';
import { RedisDriver } from '../../dist/src/lock/drivers/redis/redis.driver.js';
import { RedlockDriver } from '../../dist/src/lock/drivers/redlock/redlock.driver.js';
import { createZookeeperDriver } from '../../dist/src/lock/drivers/zookeeper/zookeeper.driver.js';
import { LockMetrics } from '../../dist/src/lock/lock-metrics.js';
import { LockService } from '../../dist/src/lock/lock.service.js';

Logger.overrideLogger(false); // standard output carries the answers
const processId = randomBytes(6).toString('hex');
const commandTimeoutMs = 5_000;
let commands = 0;

function createDriver({ kind, url, urls }) {
  if (kind === 'redis') return new RedisDriver({ url, processId, commandTimeoutMs });
  if (kind === 'redlock') return new RedlockDriver({ urls, processId, commandTimeoutMs });
  if (kind === 'etcd') return createEtcdDriver(urls, processId);
  if (kind === 'zookeeper') return createZookeeperDriver(urls, processId);
  return new PostgresDriver(new pg.Pool({ connectionString: url, max: 4 }), processId);
}

/** Counts what goes to the store. */
function counting(driver) {
  for (const name of ['acquire', 'renew', 'release']) {
    const inner = driver[name].bind(driver);
    driver[name] = (...args) => {
      commands += 1;
      return inner(...args);
    };
  }
  return driver;
}

const jobs = {
  /** Reads, thinks and writes a number in a file that nothing but the lock protects. */
  async increment({ key, file, rounds }) {
    for (let round = 0; round < rounds; round += 1) {
      await locks.withLock([key], { waitMs: 60_000, leaseMs: 10_000 }, async () => {
        const value = Number(readFileSync(file, 'utf8'));
        await tick();
        writeFileSync(file, String(value + 1));
      });
    }
    return { rounds };
  },

  /** Takes the lock, says so, and writes with its token only when told to: it may have slept through its lease. */
  async hold({ key, leaseMs, databaseUrl }) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    return locks.withLock([key], { waitMs: 5_000, leaseMs }, async (lease) => {
      console.log(JSON.stringify({ held: String(lease.token) }));
      await lines.next();
      const { rowCount } = await client.query(
        'UPDATE guarded SET value = value + 1, fence = $1 WHERE key = $2 AND fence <= $1',
        [String(lease.token), key],
      );
      await client.end();
      let isHeld = true;
      try {
        lease.assertHeld();
      } catch {
        isHeld = false;
      }
      return { wrote: rowCount === 1, isHeld, isAborted: lease.signal.aborted };
    });
  },

  /** Many waiters at once. */
  async crowd({ key, waiters, sectionMs }) {
    commands = 0;
    const waits = await Promise.all(
      Array.from({ length: waiters }, async () => {
        const from = performance.now();
        return locks.withLock([key], { waitMs: 60_000, leaseMs: 10_000 }, async () => {
          const waited = performance.now() - from;
          await sleep(sectionMs);
          return waited;
        });
      }),
    );
    return { waits, commands };
  },
};

const locks = new LockService(counting(createDriver(JSON.parse(process.argv[2]))), new LockMetrics(new Metrics()), {
  processId,
  pollCapMs: 200,
  commandTimeoutMs,
});
await locks.start();
const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
console.log('"ready"');
for (let line = await lines.next(); !line.done; line = await lines.next()) {
  const { job, input } = JSON.parse(line.value);
  console.log(JSON.stringify(await jobs[job](input)));
}
process.exit(0);
