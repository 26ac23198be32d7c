import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  query<R extends pg.QueryResultRow>(sql: string, params?: unknown[]): Promise<R[]>;
  drop(): Promise<void>;
}

export function requiredEnv(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: tests run through "npm test", whose global setup starts the services`);
  return value;
}

/** A database of this test file's own, cloned from the migrated template, so that files run in parallel. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(requiredEnv('TEST_TEMPLATE'));
}

/** One without any schema of ours. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template1');
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const adminUrl = requiredEnv('TEST_POSTGRES_URL');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(adminUrl, (admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).toString();
  const { query, close } = openDatabase(url);
  return {
    url,
    name,
    query,
    drop: async () => {
      await close();
      await asAdmin(adminUrl, (admin) => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

export interface OpenTestDatabase {
  query: TestDatabase['query'];
  close(): Promise<void>;
}

/** A database that somebody else has made. */
export function openDatabase(url: string): OpenTestDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined);
  return {
    query: async <R extends pg.QueryResultRow>(sql: string, params: unknown[] = []) =>
      (await pool.query<R>(sql, params)).rows,
    close: () => pool.end(),
  };
}

/** Cloning needs the template to itself for a moment: files that start together take turns. */
async function asAdmin(url: string, work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query('SELECT pg_advisory_lock(7261002)');
    await work(admin);
  } finally {
    await admin.end();
  }
}
