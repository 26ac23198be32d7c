import { Injectable, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { statement } from './statement.js';
import { TransactionRunner } from './transaction-runner.js';

const NOW = statement('clock.now', 'SELECT clock_timestamp() AS now');
const EVERY_MS = 10_000;

/**
 * The database's clock, which all instances share, without asking for it each time: seen now and then, and carried on by
 * our monotonic clock, which a step of this machine's own clock does not move.
 */
@Injectable()
export class DatabaseClock implements OnModuleInit, OnModuleDestroy {
  private offsetMs = Date.now() - performance.now();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly transactions: TransactionRunner) {}

  async onModuleInit(): Promise<void> {
    await this.look();
    this.timer = setInterval(() => void this.look().catch(() => undefined), EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  now(): Date {
    return new Date(performance.now() + this.offsetMs);
  }

  /** It was read somewhere between the question and the answer. */
  private async look(): Promise<void> {
    const askedAt = performance.now();
    const [row] = await this.transactions.query<{ now: Date }>(NOW, []);
    if (row) this.offsetMs = row.now.getTime() - (askedAt + performance.now()) / 2;
  }
}
