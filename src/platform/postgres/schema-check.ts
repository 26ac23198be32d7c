import { Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { misfitOf, SCHEMA_FACTS, SchemaFacts } from './schema/schema-compatibility.js';
import { statement } from './statement.js';
import { TransactionRunner } from './transaction-runner.js';

const FACTS = statement('schema.facts', SCHEMA_FACTS);
/** A compatible schema stays so until it is migrated or reverted, which is rare. */
const LOOK_AGAIN_MS = 10_000;

/** Whether the tables fit this release. A later release may have changed them since the start. */
@Injectable()
export class SchemaCheck {
  private understoodAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly transactions: TransactionRunner) {}

  async check(): Promise<{ state: 'up' | 'down'; detail?: string }> {
    if (performance.now() - this.understoodAt < LOOK_AGAIN_MS) return { state: 'up' };
    const [facts] = await this.transactions.query<SchemaFacts & Record<string, unknown>>(FACTS, []);
    const misfit = misfitOf({ applied: facts?.applied ?? [], oldestCompatible: facts?.oldestCompatible ?? 0 });
    if (misfit !== undefined) return { state: 'down', detail: misfit };
    this.understoodAt = performance.now();
    return { state: 'up' };
  }
}
