import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { TransactionRunner } from '../postgres/transaction-runner.js';
import type { Loop } from '../loops/loop.js';
import { Loops } from '../loops/loops.js';
import { OutboxRepository } from './outbox.repository.js';

const DAY_SECONDS = 24 * 3_600;
const BATCH = 5_000;

/**
 * Every instance may purge: batches skip rows that another instance has locked. Unpublished events are never purged.
 */
@Injectable()
export class OutboxPurgeJob {
  private readonly loop: Loop;

  constructor(
    @Inject(APP_CONFIG) { retention }: AppConfig,
    transactions: TransactionRunner,
    outbox: OutboxRepository,
    loops: Loops,
  ) {
    // For so long a reconnecting event stream can catch up.
    const purge = () => outbox.purge(transactions, retention.events * DAY_SECONDS, BATCH);
    this.loop = loops.schedulePurge({ name: 'outbox-purge', batch: BATCH, purge });
  }
  run(): Promise<void> {
    return this.loop.runNow();
  }
}
