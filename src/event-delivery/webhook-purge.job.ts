import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { Loops } from '../platform/loops/loops.js';
import { WebhookDeliveryRepository } from './webhook-delivery.repository.js';

/** How long an ended delivery can be seen and replayed. */
const RETENTION_SECONDS = 30 * 24 * 3_600;
const BATCH = 5_000;

@Injectable()
export class WebhookPurgeJob {
  constructor(transactions: TransactionRunner, deliveries: WebhookDeliveryRepository, loops: Loops) {
    const purge = () => deliveries.purge(transactions, RETENTION_SECONDS, BATCH);
    loops.schedulePurge({ name: 'webhook-purge', batch: BATCH, purge });
  }
}
