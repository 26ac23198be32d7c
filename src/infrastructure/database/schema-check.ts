import { Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { DataSource } from 'typeorm';
import { statement } from './statement.js';
import { TransactionRunner } from './transaction-runner.js';

const APPLIED = statement('schema.applied', 'SELECT count(*)::int AS applied FROM migrations');
/** A schema that is understood stays so until somebody migrates or reverts, which is rare. */
const LOOK_AGAIN_MS = 10_000;

/** Whether the tables are as this release needs them. */
@Injectable()
export class SchemaCheck {
  private understoodAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: TransactionRunner,
  ) {}

  async check(): Promise<{ state: 'up' | 'down'; detail?: string }> {
    if (performance.now() - this.understoodAt < LOOK_AGAIN_MS) return { state: 'up' };
    const [row] = await this.transactions.query<{ applied: number }>(APPLIED, []);
    const expected = this.dataSource.migrations.length;
    const applied = row?.applied ?? 0;
    if (applied < expected) return { state: 'down', detail: `${applied} of ${expected} migrations are applied` };
    this.understoodAt = performance.now();
    return { state: 'up' };
  }
}
