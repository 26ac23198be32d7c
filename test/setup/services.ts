import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { migrate } from '../../src/platform/postgres/schema/migrate.js';
import { startRedis } from './redis-server.js';

const TEMPLATE = 'checkout_template';
/** A run needs about 1 GB. */
const ROOMY_BYTES = 6 * 1024 ** 3;

/** Real services for the whole run: those of DATABASE_URL / REDIS_URL, or servers of our own that end with it. */
export async function startTestServices(): Promise<() => Promise<void>> {
  const stops: (() => Promise<void>)[] = [];
  const adminUrl = process.env['DATABASE_URL'] ?? (await ownPostgres(stops));
  process.env['TEST_POSTGRES_URL'] = adminUrl;
  process.env['TEST_TEMPLATE'] = TEMPLATE;
  await buildTemplate(adminUrl);
  process.env['TEST_REDIS_URL'] = process.env['REDIS_URL'] ?? (await ownRedis(stops));
  // What the run offers is passed on by name; tests decide which of it an application gets.
  delete process.env['DATABASE_URL'];
  delete process.env['REDIS_URL'];
  return async () => {
    for (const stop of stops.reverse()) await stop();
  };
}

async function ownPostgres(stops: (() => Promise<void>)[]): Promise<string> {
  const directory = mkdtempSync(path.join(roomyMemory() ?? tmpdir(), 'checkout-test-'));
  chmodSync(directory, 0o755);
  // Tests kill processes, never the machine: fsync would only slow them down.
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '400' };
  const server = await startEmbeddedPostgres(path.join(directory, 'postgres'), { settings });
  stops.push(async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return server.url;
}

/** A disk that others keep busy would stop all tests at once, where memory does not. */
function roomyMemory(): string | undefined {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return undefined;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ROOMY_BYTES ? folder : undefined;
}

async function ownRedis(stops: (() => Promise<void>)[]): Promise<string> {
  const redis = await startRedis();
  stops.push(() => redis.stop());
  return redis.url;
}

/** Migrated once; every test file then clones it in some 50 ms. */
async function buildTemplate(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  await admin.end();
  const url = Object.assign(new URL(adminUrl), { pathname: `/${TEMPLATE}` }).toString();
  await migrate(url);
}
