import { Injectable, OnModuleInit } from '@nestjs/common';
import { Loops } from '../loops/loops.js';
import { statement } from './statement.js';
import { TransactionRunner } from './transaction-runner.js';

const NOW = statement('clock.now', 'SELECT clock_timestamp() AS now');
const EVERY_MS = 10_000;

/**
 * The database's clock, which all instances share, without a query per call: it is read now and then and extrapolated
 * by our monotonic clock, which a change of the system time does not move.
 */
@Injectable()
export class DatabaseClock implements OnModuleInit {
  private offsetMs = Date.now() - performance.now();

  constructor(
    private readonly transactions: TransactionRunner,
    loops: Loops,
  ) {
    const pace = { firstMs: EVERY_MS, minMs: EVERY_MS, maxMs: EVERY_MS };
    loops.schedule({ name: 'database-clock', pace, round: () => this.look() });
  }

  onModuleInit(): Promise<void> {
    return this.look();
  }

  now(): Date {
    return new Date(performance.now() + this.offsetMs);
  }

  /** The server read its clock at some time between the question and the answer. */
  private async look(): Promise<void> {
    const askedAt = performance.now();
    const [row] = await this.transactions.query<{ now: Date }>(NOW, []);
    if (row) this.offsetMs = row.now.getTime() - (askedAt + performance.now()) / 2;
  }
}
