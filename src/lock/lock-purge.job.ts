import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { messageOf } from '../common/error-message.js';
import { PostgresDriver } from './drivers/postgres/postgres.driver.js';

const PURGE_MS = 30_000;
const RETENTION_MS = 300_000;
const BATCH = 20_000;

/** Payment locks are one row per order: rows that have been free for minutes go, their token is below the clock. */
@Injectable()
export class LockPurgeJob {
  private readonly logger = new Logger(LockPurgeJob.name);

  constructor(private readonly driver: PostgresDriver) {}

  @Interval(PURGE_MS)
  async purge(): Promise<void> {
    try {
      while ((await this.driver.purge(RETENTION_MS, BATCH)) === BATCH);
    } catch (error) {
      this.logger.warn(`old lock rows were not purged: ${messageOf(error)}`);
    }
  }
}
