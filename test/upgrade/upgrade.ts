import { execFile } from 'node:child_process';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import pg from 'pg';
import { seedOrders } from '../../bench/seed-orders.js';
import { type AppProcess, KEYS, startAppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { shelve } from '../setup/shop.js';
import { Buyers, type PhaseReport } from './buyers.js';
import { Continuity } from './continuity.js';
import type { PreviousRelease } from './previous-release.js';

export interface UpgradeOptions {
  /** An empty database. */
  readonly databaseUrl: string;
  readonly release: PreviousRelease;
  readonly orders: number;
  readonly buyers: number;
  /** Of a buyer, between two purchases. */
  readonly pauseMs?: number;
  /** How many answers a phase needs at least. */
  readonly answers: number;
  readonly log: (line: string) => void;
}

export interface UpgradeReport {
  readonly phases: readonly PhaseReport[];
  readonly migrations: readonly string[];
  /** Answers other than 201, and 202 whose order was not confirmed afterwards. */
  readonly failed: number;
  readonly problems: readonly string[];
}

const SKUS = Array.from({ length: 20 }, (_, index) => `upgrade-${index}`);
const MODELS = 200;
const CLI = path.resolve(import.meta.dirname, '../../dist/src/cli/migration.js');
const PATIENCE = { withinMs: 3_600_000 };

/**
 * Upgrades a database that the release before has filled, while buyers buy: the new release migrates, both sell from the
 * same tables, the old one leaves, and what only it used is dropped.
 */
export async function upgrade(options: UpgradeOptions): Promise<UpgradeReport> {
  const { databaseUrl, release, log } = options;
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  const buyers = new Buyers(SKUS, options.pauseMs);
  const running: AppProcess[] = [];
  const launch = async (what: { main?: string }) => {
    const env = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'info', SANDBOX_AUTHENTICATION_MS: '0' };
    const app = await startAppProcess(env, { ...PATIENCE, ...what });
    running.push(app);
    return app;
  };
  try {
    const old = await launch({ main: release.main });
    await fill(old, buyers, client, options);
    const continuity = await Continuity.begin(old, SKUS[0] ?? '');

    await sell(buyers, 'the release before', options);
    buyers.begin('while this one migrates');
    const since = performance.now();
    const next = await launch({});
    log(`this release was ready after ${seconds(since)} s`);
    buyers.rotation = [old.url, next.url];
    await sell(buyers, 'both, on the new schema', options);

    buyers.rotation = [next.url];
    await eventually('the end of the old requests', () =>
      Promise.resolve(buyers.underWayAt(old.url) === 0 || undefined),
    );
    await old.stop();
    await sell(buyers, 'this release alone', options);
    await continuity.goOn(next);

    buyers.begin('while it contracts');
    await contract(databaseUrl);
    await sell(buyers, 'this release, contracted', options);
    await buyers.stop();
    return await reportOf(next, buyers, client);
  } finally {
    await buyers.stop();
    for (const app of running) await app.stop('SIGKILL');
    await client.end();
  }
}

/** Orders of the old release, most of them copies of its first ones. */
async function fill(old: AppProcess, buyers: Buyers, client: pg.Client, options: UpgradeOptions): Promise<void> {
  const { orders, log } = options;
  for (const sku of SKUS) await shelve(old.api, sku, 100_000_000);
  buyers.rotation = [old.url];
  buyers.begin('models of what is seeded');
  buyers.start(options.buyers);
  const models = Math.min(MODELS, options.answers);
  await eventually('models', () => Promise.resolve(buyers.count >= models || undefined), PATIENCE);
  await buyers.stop();
  const since = performance.now();
  await seedOrders(client, orders, (done) => {
    if (done % 200_000 === 0) log(`seeded ${done} of ${orders} orders`);
  });
  log(`${orders} orders with their sagas after ${seconds(since)} s`);
  buyers.start(options.buyers);
}

async function sell(buyers: Buyers, phase: string, { answers }: UpgradeOptions): Promise<void> {
  buyers.begin(phase);
  await eventually(`${answers} answers`, () => Promise.resolve(buyers.count >= answers || undefined), PATIENCE);
}

async function contract(databaseUrl: string): Promise<void> {
  const env = { ...KEYS, PATH: process.env['PATH'], DATABASE_URL: databaseUrl };
  await promisify(execFile)(process.execPath, [CLI, 'contract'], { env });
}

async function reportOf(next: AppProcess, buyers: Buyers, client: pg.Client): Promise<UpgradeReport> {
  const phases = buyers.report();
  const counted = new Map<string, number>();
  for (const { statuses } of phases)
    for (const [status, count] of Object.entries(statuses)) counted.set(status, (counted.get(status) ?? 0) + count);
  const late = await eventually('rest', async () => {
    const { rows } = await client.query<{ pending: number }>(
      `SELECT count(*)::int AS pending FROM orders WHERE state = 'PENDING'`,
    );
    return rows[0]?.pending === 0 ? 0 : undefined;
  }).catch(() => 1);
  const answered = [...counted.values()].reduce((sum, count) => sum + count, 0);
  const failed = answered - (counted.get('201') ?? 0) - (counted.get('202') ?? 0) + late;
  return { phases, failed, problems: buyers.problems, migrations: migrationLines(next.output()) };
}

function migrationLines(output: string): string[] {
  const lines = output.split('\n').filter((line) => line.includes('"context":"Migration"'));
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
