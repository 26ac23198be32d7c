import type { AppConfig } from '../../platform/config/app-config.js';
import type { LockDriver } from '../lock-driver.js';
import { PAYMENT_LOCK } from '../lock-keys.js';
import type { LockMetrics } from '../lock-metrics.js';
import { SESSION_TIMEOUT_MS } from './consensus/session-timeout.js';
import { FailoverDriver } from './failover.driver.js';
import type { PostgresDriver } from './postgres/postgres.driver.js';
import { RedisDriver } from './redis/redis.driver.js';
import { RedlockDriver } from './redlock/redlock.driver.js';

/** The store is given up after five failures in a row, and used again when it was healthy for the longest lease. */
const FAILOVER = { threshold: 5, healthyForMs: PAYMENT_LOCK.leaseMs, probeEveryMs: 1_000 };

export interface ChosenDriver {
  readonly driver: LockDriver;
  /** The longest one command of its store may take. */
  readonly commandTimeoutMs: number;
}

/** The configured driver, with Postgres behind it. */
export async function chooseDriver(
  config: AppConfig,
  postgres: PostgresDriver,
  metrics: LockMetrics,
): Promise<ChosenDriver> {
  const primary = await createPrimary(config);
  const { driver } = config.lock;
  const hasSession = driver === 'etcd' || driver === 'zookeeper';
  return {
    driver: primary ? new FailoverDriver(primary, postgres, FAILOVER, (to) => metrics.breakerMoved(to)) : postgres,
    commandTimeoutMs: hasSession ? SESSION_TIMEOUT_MS : config.redis.commandTimeoutMs,
  };
}

/** What most installations do not use is loaded only where it is chosen. */
async function createPrimary({ lock, redis, instanceId: processId }: AppConfig): Promise<LockDriver | undefined> {
  const { commandTimeoutMs, url } = redis;
  switch (lock.driver) {
    case 'redis':
      return url === undefined ? undefined : new RedisDriver({ url, processId, commandTimeoutMs });
    case 'redlock':
      return new RedlockDriver({ urls: lock.redlockUrls, processId, commandTimeoutMs });
    case 'etcd':
      return (await import('./etcd/etcd.driver.js')).createEtcdDriver(lock.etcdUrls, processId);
    case 'zookeeper':
      return (await import('./zookeeper/zookeeper.driver.js')).createZookeeperDriver(lock.zookeeperUrls, processId);
    case 'postgres':
      return undefined;
  }
}
