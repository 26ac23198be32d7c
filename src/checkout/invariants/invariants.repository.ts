import { Injectable } from '@nestjs/common';
import { statement } from '../../infrastructure/database/statement.js';
import type { Tx } from '../../infrastructure/database/tx.js';
import { INVARIANT_CHECKS } from './invariant-checks.js';

const SNAPSHOT = statement('invariants.snapshot', `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
/** Whole tables are read: the limit of an ordinary statement is too short for large ones. */
const PATIENCE = statement('invariants.patience', `SET LOCAL statement_timeout = '60s'`);

type Violation = Record<string, unknown>;

@Injectable()
export class InvariantsRepository {
  async check(
    tx: Tx,
    limit: number,
    grace: { readonly sweepSeconds: number; readonly leaseMs: number },
  ): Promise<{ name: string; violations: Violation[] }[]> {
    await tx.query(SNAPSHOT, []);
    await tx.query(PATIENCE, []);
    const results: { name: string; violations: Violation[] }[] = [];
    for (const { name, query } of INVARIANT_CHECKS) {
      const params = [limit, grace.sweepSeconds, grace.leaseMs].slice(0, parametersOf(query.text));
      results.push({ name, violations: await tx.query<Violation>(query, params) });
    }
    return results;
  }
}

/** Postgres refuses parameters that a statement does not name. */
function parametersOf(text: string): number {
  return Math.max(...[...text.matchAll(/\$(\d)/g)].map(([, number]) => Number(number)));
}
