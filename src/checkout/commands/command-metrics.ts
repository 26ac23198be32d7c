import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/metrics/metrics.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { DeadLetterRepository } from './dead-letter.repository.js';

const OUTCOMES = ['confirmed', 'rejected', 'waiting', 'retried', 'dead_lettered'] as const;
export type CommandOutcome = (typeof OUTCOMES)[number];

/** Counted per delivery by the instance that took it; dead letters are also counted from the database, which forgets none. */
@Injectable()
export class CommandMetrics {
  private readonly deliveries;
  private readonly seconds;
  private readonly inFlight;

  constructor(metrics: Metrics, transactions: TransactionRunner, deadLetters: DeadLetterRepository) {
    this.deliveries = metrics.counter(
      'stream_commands_total',
      'Commands from the stream by what became of a delivery',
      ['outcome'],
    );
    for (const outcome of OUTCOMES) this.deliveries.inc({ outcome }, 0);
    this.seconds = metrics.histogram('stream_command_seconds', 'From the delivery of a command to its acknowledgement');
    this.inFlight = metrics.gauge('stream_commands_in_flight', 'Commands that this instance works on');
    metrics.gauge(
      'dead_letters_open',
      'Commands that could not be processed and wait for an operator',
      [],
      async (gauge) => {
        gauge.set(await deadLetters.countOpen(transactions));
      },
    );
  }

  ended(outcome: CommandOutcome, ms: number): void {
    this.count(outcome);
    this.seconds.observe(ms / 1_000);
  }

  count(outcome: CommandOutcome): void {
    this.deliveries.inc({ outcome });
  }

  setInFlight(count: number): void {
    this.inFlight.set(count);
  }
}
