import { eventually } from '../setup/eventually.js';
import { TestDatabase } from '../setup/test-database.js';

/** Leases of locks come and go by themselves: they order the crowd, and are no state. */
const NO_STATE = [
  ...['lock_leases', 'instances', 'saga_watch', 'reconciliations'],
  ...['instance_samples', 'invariant_results'],
];

/** What is still under way behind requests that were answered. */
const OPEN = `
  SELECT (SELECT count(*) FROM sagas WHERE state IN ('RUNNING', 'COMPENSATING'))
    + (SELECT count(*) FROM outbox_queue)
    + (SELECT count(*) FROM sandbox.callbacks)
    + (SELECT count(*) FROM webhook_inbox WHERE state = 'RECEIVED') AS open`;

/** Rows and a hash of their contents, for every table: what an invalid request must not move. */
async function stateDigest(database: TestDatabase): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'
       AND table_name <> ALL ($1) ORDER BY 1`,
    [NO_STATE],
  );
  const digest: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await database.query<{ state: string }>(
      `SELECT count(*) || ' rows, ' || coalesce(sum(hashtextextended(row::text, 0)), 0) AS state FROM ${name} AS row`,
    );
    digest[name] = row!.state;
  }
  return digest;
}

/** Once the jobs behind earlier requests have done their work. */
export async function quietDigest(database: TestDatabase): Promise<Record<string, string>> {
  const open = async () => Number((await database.query<{ open: string }>(OPEN))[0]!.open);
  await eventually('nothing is under way', open, { until: (count) => count === 0 });
  return stateDigest(database);
}
