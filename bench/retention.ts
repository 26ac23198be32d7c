import { SchedulerRegistry } from '@nestjs/schedule';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { RetentionJob } from '../src/audit/retention/retention.job.js';
import { RetentionRepository } from '../src/audit/retention/retention.repository.js';
import { loadConfig } from '../src/platform/config/app-config.js';
import { Loops } from '../src/platform/loops/loops.js';
import { Metrics } from '../src/platform/metrics/metrics.js';
import { POINT_LOOKUPS } from '../src/platform/postgres/data-source.js';
import { applySettings } from '../src/platform/postgres/session-settings.js';
import { TransactionRunner } from '../src/platform/postgres/transaction-runner.js';
import { Load, type PhaseReport, plan } from './load.js';
import { startBacking } from './processes.js';
import { table } from './report.js';
import { SPREAD_SKUS, startOurs } from './systems.js';

/** As large as those of a checkout. Only their keys say that they are old. */
const FILL = `
  INSERT INTO sagas (id, name, version, state, subject, position, phase, data, log_lines, due_at)
  SELECT uuidv7(interval '-200 days' + n * interval '1 ms'), 'checkout', 1, 'COMPLETED', 'retention-' || n, 4, 'run',
    json_build_object('customer', '{}', 'filler', repeat('x', 500)), repeat('x', 300), now()
  FROM generate_series(1, $1::int) AS n`;

/** What a purge of a million rows costs those who buy meanwhile. The job runs as in an instance, on a connection of its own. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '15' },
      connections: { type: 'string', default: '32' },
    },
  });
  const backing = await startBacking();
  const system = await startOurs(backing, 'retention', []);
  const pool = new pg.Pool({ connectionString: system.url, max: 4, onConnect: applySettings(POINT_LOOKUPS) });
  try {
    await pool.query(FILL, [Number(values.rows)]);
    await pool.query('VACUUM (ANALYZE) sagas');
    const load = Load.start(plan(system.server!.port, { connections: Number(values.connections), skus: SPREAD_SKUS }));
    await load.running();
    await sleep(5_000);
    const before = await phaseOf(load, sleep(Number(values.seconds) * 1_000));
    const startedAt = performance.now();
    const during = await phaseOf(load, purge(pool));
    const purgeMs = performance.now() - startedAt;
    await load.stop();
    const { rows } = await pool.query<{ left: number }>(
      `SELECT count(*)::int AS left FROM sagas WHERE subject LIKE 'retention-%'`,
    );
    const columns = ['', 'checkouts/s', 'p50 ms', 'p99 ms', 'longest ms', 'not 201'];
    process.stdout.write(`${table(columns, [rowOf('before', before), rowOf('while rows are purged', during)])}\n`);
    process.stdout.write(`${values.rows} rows in ${(purgeMs / 1_000).toFixed(1)} s, ${rows[0]!.left} left\n`);
  } finally {
    await pool.end();
    await system.stop();
    await backing.stop();
  }
}

async function purge(pool: pg.Pool): Promise<void> {
  const loops = new Loops(new SchedulerRegistry(), new Metrics());
  const config = loadConfig({ NODE_ENV: 'test' });
  const job = new RetentionJob(config, new TransactionRunner(pool), new RetentionRepository(), loops);
  loops.onApplicationBootstrap();
  await job.run();
  await loops.beforeApplicationShutdown();
}

async function phaseOf(load: Load, end: Promise<unknown>): Promise<PhaseReport> {
  load.begin();
  await end;
  return load.end();
}

function rowOf(name: string, { seconds, statuses, p50, p99, max }: PhaseReport): (string | number)[] {
  const done = statuses['201'] ?? 0;
  const others = Object.values(statuses).reduce((sum, count) => sum + count, 0) - done;
  return [name, Math.round(done / seconds), p50.toFixed(1), p99.toFixed(1), max.toFixed(0), others];
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
