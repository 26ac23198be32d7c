import type { QueryRunner } from 'typeorm';
import { LockLeases1763200000000 } from '../../migrations/1763200000000-lock-leases.js';
import { LockHeirs1763450000000 } from '../../migrations/1763450000000-lock-heirs.js';

/** What the postgres driver needs, in a database that has nothing else. */
export async function createLockSchema(query: (sql: string) => Promise<unknown>): Promise<void> {
  const runner = { query } as unknown as QueryRunner;
  for (const migration of [new LockLeases1763200000000(), new LockHeirs1763450000000()]) await migration.up(runner);
}
