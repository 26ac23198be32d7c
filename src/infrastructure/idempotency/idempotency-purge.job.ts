import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../database/transaction-runner.js';
import type { Loop } from '../loops/loop.js';
import { Loops } from '../loops/loops.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const RETENTION_SECONDS = 24 * 3_600;
const BATCH = 5_000;

/** Keys are kept for 24 hours. Every instance may purge: batches skip what another one has locked. */
@Injectable()
export class IdempotencyPurgeJob {
  private readonly loop: Loop;

  constructor(transactions: TransactionRunner, keys: IdempotencyRepository, loops: Loops) {
    const purge = () => keys.purge(transactions, RETENTION_SECONDS, BATCH);
    this.loop = loops.schedulePurge({ name: 'idempotency-purge', batch: BATCH, purge });
  }
  run(): Promise<void> {
    return this.loop.runNow();
  }
}
