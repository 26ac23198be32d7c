import { Module, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { APP_CONFIG, AppConfig } from '../platform/config/app-config.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { HealthService } from '../platform/health/health.service.js';
import { chooseDriver } from './drivers/choose-driver.js';
import { PostgresDriver } from './drivers/postgres/postgres.driver.js';
import { HeldLocksJob } from './held-locks.job.js';
import { LockMetrics } from './lock-metrics.js';
import { LockPurgeJob } from './lock-purge.job.js';
import { LockController } from './lock.controller.js';
import { LockService } from './lock.service.js';

const POLL_CAP_MS = 200;

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
      useFactory: async (config: AppConfig, postgres: PostgresDriver, metrics: LockMetrics) => {
        const { driver, commandTimeoutMs } = await chooseDriver(config, postgres, metrics);
        return new LockService(driver, metrics, {
          processId: config.instanceId,
          pollCapMs: POLL_CAP_MS,
          commandTimeoutMs,
        });
      },
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
