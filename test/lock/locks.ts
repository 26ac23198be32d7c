import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { createEtcdDriver } from '../../src/lock/drivers/etcd/etcd.driver.js';
import { PostgresDriver } from '../../src/lock/drivers/postgres/postgres.driver.js';
import { RedisDriver } from '../../src/lock/drivers/redis/redis.driver.js';
import { RedlockDriver } from '../../src/lock/drivers/redlock/redlock.driver.js';
import { createZookeeperDriver } from '../../src/lock/drivers/zookeeper/zookeeper.driver.js';
import type { LockDriver } from '../../src/lock/lock-driver.js';
import { LockMetrics } from '../../src/lock/lock-metrics.js';
import type { LockOptions } from '../../src/lock/lock-keys.js';
import { LockService } from '../../src/lock/lock.service.js';
import { eventually } from '../setup/eventually.js';
import type { DriverSpec } from './backends.js';
import { gate } from '../setup/timing.js';

export const POLL_CAP_MS = 200;
/** A wait that only ends what would never end, and leases that end after it. */
export const PATIENT_MS = 30_000;
/** So long that a store which is merely slow, on a busy machine, is not taken for one that is away. */
const COMMAND_TIMEOUT_MS = 10_000;

export interface Locks {
  readonly processId: string;
  readonly service: LockService;
  readonly driver: LockDriver;
  stop(): Promise<void>;
}

export function newProcessId(): string {
  return randomBytes(6).toString('hex');
}

export function createDriver(spec: DriverSpec, processId: string): { driver: LockDriver; close(): Promise<void> } {
  const commandTimeoutMs = COMMAND_TIMEOUT_MS;
  switch (spec.kind) {
    case 'redis':
      return plain(new RedisDriver({ url: spec.url, processId, commandTimeoutMs }));
    case 'redlock':
      return plain(new RedlockDriver({ urls: spec.urls, processId, commandTimeoutMs }));
    case 'etcd':
      return plain(createEtcdDriver(spec.urls, processId));
    case 'zookeeper':
      return plain(createZookeeperDriver(spec.urls, processId));
    case 'postgres': {
      const pool = new pg.Pool({ connectionString: spec.url, max: 8, connectionTimeoutMillis: COMMAND_TIMEOUT_MS });
      pool.on('error', () => undefined);
      const driver = new PostgresDriver(pool, processId);
      return { driver, close: () => pool.end() };
    }
  }
}

/** As one instance of the service would have it: a driver with connections of its own. */
export async function createLocks(
  spec: DriverSpec,
  wrap: (driver: LockDriver) => LockDriver = (driver) => driver,
): Promise<Locks> {
  const processId = newProcessId();
  const created = createDriver(spec, processId);
  const driver = wrap(created.driver);
  const service = new LockService(driver, new LockMetrics(new Metrics()), {
    processId,
    pollCapMs: POLL_CAP_MS,
    commandTimeoutMs: COMMAND_TIMEOUT_MS,
  });
  await service.start();
  return {
    processId,
    service,
    driver,
    stop: async () => {
      await service.stop();
      await created.close();
    },
  };
}

export interface Held {
  readonly token: bigint;
  release(): Promise<void>;
}

/** Comes back when the keys are held, as they are until they are released. */
export async function hold({ service }: Locks, keys: readonly string[], options: LockOptions): Promise<Held> {
  const [granted, end] = [gate(), gate()];
  let token = 0n;
  const holding = service.withLock(keys, options, (lease) => {
    token = lease.token;
    granted.open();
    return end.opened;
  });
  await Promise.race([granted.opened, holding]);
  return {
    token,
    release: () => {
      end.open();
      return holding;
    },
  };
}

/** As the store shows it to this instance, together with those that wait inside the instance itself. */
export function untilWaiting({ service }: Locks, key: string, waiters: number): Promise<true> {
  const look = async () => (await service.list()).find((lock) => lock.key === key)?.waiters === waiters;
  return eventually(`${waiters} wait for ${key}`, look, { everyMs: 10 });
}

function plain(driver: LockDriver): { driver: LockDriver; close(): Promise<void> } {
  return { driver, close: () => Promise.resolve() };
}
