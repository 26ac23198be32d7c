import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { messageOf } from '../../common/error-message.js';
import { TransactionRunner } from '../database/transaction-runner.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const RETENTION_SECONDS = 24 * 3_600;
const BATCH = 5_000;

/** Keys are kept for 24 hours. Every instance may purge: batches skip what another one has locked. */
@Injectable()
export class IdempotencyPurgeJob {
  private readonly logger = new Logger(IdempotencyPurgeJob.name);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly keys: IdempotencyRepository,
  ) {}

  @Interval(10 * 60_000)
  async run(): Promise<void> {
    try {
      for (let purged = BATCH; purged === BATCH;)
        purged = await this.keys.purge(this.transactions, RETENTION_SECONDS, BATCH);
    } catch (error) {
      this.logger.warn(`could not purge idempotency keys: ${messageOf(error)}`);
    }
  }
}
