import { Injectable } from '@nestjs/common';
import { WebhookDeliveryRepository } from '../../event-delivery/webhook-delivery.repository.js';
import { LockService } from '../../lock/lock.service.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { BulkRunRepository } from '../bulk/bulk-run.repository.js';

/** Backlogs that are not in the tables of sagas. */
@Injectable()
export class Backlogs {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly locks: LockService,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly runs: BulkRunRepository,
  ) {}

  async read() {
    const [locks, deliveries, runs] = await Promise.all([
      this.locks.list().catch(() => []), // the store may be away: the breaker says so
      this.deliveries.backlog(this.transactions),
      this.runs.list('RUNNING', undefined, 100),
    ]);
    return { locks, deliveries, bulkRuns: runs.length };
  }
}
