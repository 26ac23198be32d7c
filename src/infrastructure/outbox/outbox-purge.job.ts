import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { messageOf } from '../../common/error-message.js';
import { TransactionRunner } from '../database/transaction-runner.js';
import { OutboxRepository } from './outbox.repository.js';

/** How long a reconnecting event stream can catch up. */
const RETENTION_SECONDS = 7 * 24 * 3_600;
const BATCH = 5_000;

/** Every instance may purge: batches skip what another one has locked. What is not published is never purged. */
@Injectable()
export class OutboxPurgeJob {
  private readonly logger = new Logger(OutboxPurgeJob.name);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly outbox: OutboxRepository,
  ) {}

  @Interval(10 * 60_000)
  async run(): Promise<void> {
    try {
      for (let purged = BATCH; purged === BATCH;)
        purged = await this.outbox.purge(this.transactions, RETENTION_SECONDS, BATCH);
    } catch (error) {
      this.logger.warn(`could not purge the outbox: ${messageOf(error)}`);
    }
  }
}
