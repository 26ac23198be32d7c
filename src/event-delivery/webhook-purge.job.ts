import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { Loops } from '../platform/loops/loops.js';
import { WebhookDeliveryRepository } from './webhook-delivery.repository.js';

const DAY_SECONDS = 24 * 3_600;
const BATCH = 5_000;

@Injectable()
export class WebhookPurgeJob {
  constructor(
    @Inject(APP_CONFIG) { retention }: AppConfig,
    transactions: TransactionRunner,
    deliveries: WebhookDeliveryRepository,
    loops: Loops,
  ) {
    // For so long a delivery can be seen and replayed.
    const purge = () => deliveries.purge(transactions, retention.deliveries * DAY_SECONDS, BATCH);
    loops.schedulePurge({ name: 'webhook-purge', batch: BATCH, purge });
  }
}
