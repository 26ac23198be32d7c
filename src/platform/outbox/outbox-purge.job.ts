import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../postgres/transaction-runner.js';
import type { Loop } from '../loops/loop.js';
import { Loops } from '../loops/loops.js';
import { OutboxRepository } from './outbox.repository.js';

/** How far back a reconnecting event stream can catch up. */
const RETENTION_SECONDS = 7 * 24 * 3_600;
const BATCH = 5_000;

/**
 * Every instance may purge: batches skip rows that another instance has locked. Unpublished events are never purged.
 */
@Injectable()
export class OutboxPurgeJob {
  private readonly loop: Loop;

  constructor(transactions: TransactionRunner, outbox: OutboxRepository, loops: Loops) {
    const purge = () => outbox.purge(transactions, RETENTION_SECONDS, BATCH);
    this.loop = loops.schedulePurge({ name: 'outbox-purge', batch: BATCH, purge });
  }
  run(): Promise<void> {
    return this.loop.runNow();
  }
}
