import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/postgres/tx.js';
import { INVARIANT_CHECKS } from './invariant-checks.js';

type Violation = Record<string, unknown>;

@Injectable()
export class InvariantsRepository {
  async check(
    tx: Tx,
    limit: number,
    grace: { readonly sweepSeconds: number; readonly leaseMs: number },
  ): Promise<{ name: string; violations: Violation[] }[]> {
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
