import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { messageOf } from '../common/error-message.js';
import { TransactionRunner } from '../infrastructure/database/transaction-runner.js';
import { WebhookDeliveryRepository } from './webhook-delivery.repository.js';

/** How long a delivery can be seen and replayed. */
const RETENTION_SECONDS = 30 * 24 * 3_600;
const BATCH = 5_000;

@Injectable()
export class WebhookPurgeJob {
  private readonly logger = new Logger(WebhookPurgeJob.name);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly deliveries: WebhookDeliveryRepository,
  ) {}

  @Interval(10 * 60_000)
  async run(): Promise<void> {
    try {
      for (let purged = BATCH; purged === BATCH;)
        purged = await this.deliveries.purge(this.transactions, RETENTION_SECONDS, BATCH);
    } catch (error) {
      this.logger.warn(`could not purge webhook deliveries: ${messageOf(error)}`);
    }
  }
}
