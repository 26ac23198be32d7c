import { Module, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { APP_CONFIG, AppConfig } from '../platform/config/app-config.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { HealthService } from '../platform/health/health.service.js';
import { FailoverDriver } from './drivers/failover.driver.js';
import { PostgresDriver } from './drivers/postgres/postgres.driver.js';
import { RedisDriver } from './drivers/redis/redis.driver.js';
import { RedlockDriver } from './drivers/redlock/redlock.driver.js';
import { HeldLocksJob } from './held-locks.job.js';
import type { LockDriver } from './lock-driver.js';
import { PAYMENT_LOCK } from './lock-keys.js';
import { LockMetrics } from './lock-metrics.js';
import { LockPurgeJob } from './lock-purge.job.js';
import { LockController } from './lock.controller.js';
import { LockService } from './lock.service.js';

const POLL_CAP_MS = 200;

/**
 * After five failures in a row Redis is replaced by the fallback. It is used again once it was healthy for the longest
 * lease.
 */
const FAILOVER = { threshold: 5, healthyForMs: PAYMENT_LOCK.leaseMs, probeEveryMs: 1_000 };

function createDriver(config: AppConfig, postgres: PostgresDriver, metrics: LockMetrics): LockDriver {
  const primary = createPrimary(config);
  return primary ? new FailoverDriver(primary, postgres, FAILOVER, (to) => metrics.breakerMoved(to)) : postgres;
}

function createPrimary({ lock, redis, instanceId: processId }: AppConfig): LockDriver | undefined {
  const { commandTimeoutMs, url } = redis;
  if (lock.driver === 'redis' && url) return new RedisDriver({ url, processId, commandTimeoutMs });
  if (lock.driver === 'redlock') return new RedlockDriver({ urls: lock.redlockUrls, processId, commandTimeoutMs });
  return undefined;
}

@Module({
  controllers: [LockController],
  providers: [
    LockMetrics,
    HeldLocksJob,
    LockPurgeJob,
    {
      provide: PostgresDriver,
      inject: [TransactionRunner, APP_CONFIG],
      useFactory: ({ pool }: TransactionRunner, { instanceId }: AppConfig) => new PostgresDriver(pool, instanceId),
    },
    {
      provide: LockService,
      inject: [APP_CONFIG, PostgresDriver, LockMetrics],
      useFactory: (config: AppConfig, postgres: PostgresDriver, metrics: LockMetrics) =>
        new LockService(createDriver(config, postgres, metrics), metrics, {
          processId: config.instanceId,
          pollCapMs: POLL_CAP_MS,
          commandTimeoutMs: config.redis.commandTimeoutMs,
        }),
    },
  ],
  exports: [LockService],
})
export class LockModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly locks: LockService,
    private readonly health: HealthService,
  ) {}

  onModuleInit(): Promise<void> {
    this.health.addCheck('locks', () => this.locks.check());
    return this.locks.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.locks.stop();
  }
}
