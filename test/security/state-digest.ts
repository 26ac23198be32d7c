import { TestDatabase } from '../setup/test-database.js';

/** Rows and a hash of their contents, for every table: what an invalid request must not move. */
export async function stateDigest(database: TestDatabase): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE' ORDER BY 1`,
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
  const deadline = Date.now() + 20_000;
  for (let last = await stateDigest(database); ;) {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const next = await stateDigest(database);
    if (JSON.stringify(next) === JSON.stringify(last) || Date.now() > deadline) return next;
    last = next;
  }
}
