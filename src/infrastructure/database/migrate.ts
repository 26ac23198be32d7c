import pg from 'pg';
import type { DataSource } from 'typeorm';
import { sleep } from '../../common/backoff.js';

/** Any number: it only has to be the same in every instance. */
const MIGRATION_LOCK = 7_261_001;
const POLL_MS = 100;

/**
 * Instances that start together migrate one after the other; the later ones find nothing to do. The lock is
 * transaction-scoped, because a session's lock is lost behind PgBouncer, and sits on a connection of its own. It is asked
 * for again and again: a query that waits for it holds a snapshot, and CREATE INDEX CONCURRENTLY waits for all of those.
 */
export async function migrate(dataSource: DataSource, url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('BEGIN');
    while (!(await isLocked(client))) await sleep(POLL_MS);
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    await client.query('COMMIT');
    return applied.length;
  } finally {
    await client.end();
  }
}

/** Without parameters: those would leave a portal, and with it a snapshot, open until the transaction ends. */
async function isLocked(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ isLocked: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS "isLocked"`,
  );
  return rows[0]?.isLocked ?? false;
}
