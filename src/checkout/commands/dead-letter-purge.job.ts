import { Injectable } from '@nestjs/common';
import { Loops } from '../../platform/loops/loops.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { DeadLetterRepository } from './dead-letter.repository.js';

/** How long a resolved dead letter can be seen. */
const RETENTION_SECONDS = 30 * 24 * 3_600;
const BATCH = 1_000;

@Injectable()
export class DeadLetterPurgeJob {
  constructor(transactions: TransactionRunner, letters: DeadLetterRepository, loops: Loops) {
    const purge = () => letters.purge(transactions, RETENTION_SECONDS, BATCH);
    loops.schedulePurge({ name: 'dead-letter-purge', batch: BATCH, purge });
  }
}
