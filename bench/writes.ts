import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { unpackPreviousRelease } from '../test/upgrade/previous-release.js';
import { Load, LoadReport, plan } from './load.js';
import { Backing, cpuMsOf, startBacking } from './processes.js';
import { table } from './report.js';
import { SPREAD_SKUS, startOurs, System } from './systems.js';

interface TableWrites {
  readonly name: string;
  readonly inserted: number;
  readonly updated: number;
  readonly hot: number;
  readonly bytes: number;
  readonly indexBytes: number;
}

interface Writes {
  readonly tables: readonly TableWrites[];
  readonly walBytes: number;
  readonly walRecords: number;
  readonly cpuMs: number;
}

/** Sessions report to the statistics at most once a second, and when they have been idle for a while. */
const REPORTED_MS = 12_000;

const TABLES = `
  SELECT relname AS name, n_tup_ins::float8 AS inserted, n_tup_upd::float8 AS updated, n_tup_hot_upd::float8 AS hot,
    pg_table_size(relid)::float8 AS bytes, pg_indexes_size(relid)::float8 AS "indexBytes"
  FROM pg_stat_user_tables WHERE schemaname = 'public' ORDER BY relname`;

async function load(system: System, connections: number, seconds: number): Promise<LoadReport> {
  const clients = Load.start(plan(system.server!.port, { connections, skus: SPREAD_SKUS }));
  await clients.running();
  await sleep(seconds * 1_000);
  const report = await clients.stop();
  await sleep(REPORTED_MS);
  return report;
}

async function writesOf(client: pg.Client, backing: Backing): Promise<Writes> {
  await client.query('SELECT pg_stat_clear_snapshot()');
  const tables = await client.query<TableWrites>(TABLES);
  const wal = await client.query<{ bytes: number; records: number }>(
    'SELECT wal_bytes::float8 AS bytes, wal_records::float8 AS records FROM pg_stat_wal',
  );
  const { bytes, records } = wal.rows[0]!;
  return { tables: tables.rows, walBytes: bytes, walRecords: records, cpuMs: cpuMsOf(backing.postgresPid, true) };
}

/** The checkouts of one stretch of load, and what PostgreSQL wrote for them; both are read at rest, so that they belong together. */
async function measure(backing: Backing, system: System, connections: number, seconds: number): Promise<string> {
  const client = new pg.Client({ connectionString: system.url });
  await client.connect();
  await load(system, connections, 3); // pages, plans and connections as they will be
  const before = await writesOf(client, backing);
  const phase = await load(system, connections, seconds);
  const after = await writesOf(client, backing);
  await client.end();
  const done = phase.statuses['201'] ?? 0;
  const rows = after.tables.flatMap((now) => {
    const then = before.tables.find(({ name }) => name === now.name)!;
    const updated = now.updated - then.updated;
    if (updated === 0) return [];
    const hot = `${((100 * (now.hot - then.hot)) / updated).toFixed(1)} %`;
    const grown = (key: 'bytes' | 'indexBytes') => ((now[key] - then[key]) / done).toFixed(0);
    return [[now.name, now.inserted - then.inserted, updated, hot, grown('bytes'), grown('indexBytes')]];
  });
  const per = (value: number) => (value / done).toFixed(0);
  return [
    `${done} checkouts by ${connections} connections, answers ${JSON.stringify(phase.statuses)}`,
    `per checkout: ${per(after.walBytes - before.walBytes)} bytes of WAL in ${((after.walRecords - before.walRecords) / done).toFixed(1)} records, ${((after.cpuMs - before.cpuMs) / done).toFixed(3)} ms of PostgreSQL's processor time`,
    table(['table', 'inserts', 'updates', 'HOT', 'bytes/checkout', 'index bytes/checkout'], rows),
  ].join('\n');
}

/**
 * `npm run bench:writes`: which updates stay on their page (HOT), and what a checkout costs in WAL, in this release and in the
 * one before.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { connections: { type: 'string', default: '64' }, seconds: { type: 'string', default: '10' } },
  });
  const previous = unpackPreviousRelease();
  const backing = await startBacking();
  try {
    // Images of whole pages depend on when the last checkpoint was, and are the same for both.
    await backing.admin.query('ALTER SYSTEM SET full_page_writes = off');
    await backing.admin.query('SELECT pg_reload_conf()');
    const releases = { [`release ${previous.version}`]: previous.main, 'this release': undefined };
    for (const [index, [name, file]] of Object.entries(releases).entries()) {
      const system = await startOurs(backing, `writes_${index}`, [], file);
      for (const connections of values.connections.split(',').map(Number)) {
        const measured = await measure(backing, system, connections, Number(values.seconds));
        process.stdout.write(`\n${name}: ${measured}\n`);
      }
      await system.stop();
    }
  } finally {
    await backing.stop();
    previous.remove();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
