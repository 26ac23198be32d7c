import pg from 'pg';
import type { DataSource } from 'typeorm';

/** Any number: it only has to be the same in every instance. */
const MIGRATION_LOCK = 7_261_001;

/**
 * Instances that start together migrate one after the other; the later ones find nothing to do. The lock is
 * transaction-scoped, because a session's lock is lost behind PgBouncer, and sits on a connection of its own.
 */
export async function migrate(dataSource: DataSource, url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    await client.query('COMMIT');
    return applied.length;
  } finally {
    await client.end();
  }
}
