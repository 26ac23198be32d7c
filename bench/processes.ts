import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { freePort, startEmbeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.js';
import { KEYS } from '../test/setup/app-process.js';
import { startRedis } from '../test/setup/redis-server.js';

const ROOT = path.resolve(import.meta.dirname, '..');
const START_TIMEOUT_MS = 30_000;
/**
 * As `npm start` has it: what a batch allocates dies young, in a nursery that holds more than one batch, and what outlives it
 * under a slow provider is collected before it has tripled the memory.
 */
const START_FLAGS = ['--max-semi-space-size=64', '--heap-growing-percent=50'];
/** The arguments of `npm start`. */
export const SERVICE = [...START_FLAGS, path.join(ROOT, 'dist/src/main.js')];

export interface Server {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

/** Where a system keeps its data: what its work costs there is counted. */
export interface Store {
  readonly postgresPid: number;
  readonly redisPid: number | undefined;
  /** Whether it has pg_stat_statements. */
  readonly canCount: boolean;
  /** A connection to the server's own database, for statistics and set-up. */
  readonly admin: pg.Client;
}

export interface Backing extends Store {
  readonly directory: string;
  readonly redisUrl: string;
  urlOf(database: string): string;
  stop(): Promise<void>;
}

/** Real services with durable settings: fsync and synchronous_commit are on, as they would be where money is. */
export async function startBacking(): Promise<Backing> {
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-bench-'));
  chmodSync(directory, 0o755);
  const settings = {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    max_connections: '400',
    shared_buffers: '1GB',
    // As on a busy database: otherwise the runs would differ by the pages that are written again after every
    // checkpoint.
    max_wal_size: '8GB',
    checkpoint_timeout: '30min',
    shared_preload_libraries: 'pg_stat_statements',
  };
  const postgres = await startEmbeddedPostgres(path.join(directory, 'postgres'), { settings, database: 'ours' });
  const redis = await startRedis();
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  admin.on('error', () => undefined); // it ends with its server
  await admin.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await admin.query(`ALTER SYSTEM SET pg_stat_statements.track = 'none'`);
  await admin.query('SELECT pg_reload_conf()');
  return {
    directory,
    redisUrl: redis.url,
    redisPid: redis.pid,
    canCount: true,
    postgresPid: postgres.pid,
    admin,
    urlOf: (database) => Object.assign(new URL(postgres.url), { pathname: `/${database}` }).toString(),
    stop: async () => {
      await admin.end();
      await redis.stop();
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Starts a Node program that listens on PORT, and waits until the given path answers. */
export async function startNode(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  readyPath: string,
): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, [...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', PORT: String(port), ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await listening(child, `http://127.0.0.1:${port}${readyPath}`);
  return { pid: child.pid!, port, stop: () => stopChild(child) };
}

export function startService(
  backing: Backing,
  database: string,
  nodeFlags: readonly string[] = [],
  main = path.join(ROOT, 'dist/src/main.js'),
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const env = {
    ...KEYS,
    DATABASE_URL: backing.urlOf(database),
    REDIS_URL: backing.redisUrl,
    PAYMENT_GATEWAY: 'sandbox',
    SANDBOX_IN_PRODUCTION: 'true',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
    ...settings,
  };
  return startNode([...START_FLAGS, ...nodeFlags, main], env, '/health/ready');
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, 'exit');
  child.kill('SIGTERM');
  await end;
}

async function listening(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} before it was ready`);
    const isReady = await fetch(url).then(
      (response) => response.status < 500,
      () => false,
    );
    if (isReady) return;
    if (performance.now() > deadline) throw new Error(`no answer from ${url}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU time of a process in ms; with its children that live, and those that it has waited for. */
export function cpuMsOf(pid: number, isTree = false): number {
  const [utime, stime, cutime, cstime] = ticksOf(pid);
  const own = utime + stime + (isTree ? cutime + cstime : 0);
  const children = isTree ? childrenOf(pid).reduce((sum, child) => sum + childTicks(child), 0) : 0;
  return ((own + children) * 1_000) / TICKS_PER_SECOND;
}

function ticksOf(pid: number): [number, number, number, number] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [Number(fields[11]), Number(fields[12]), Number(fields[13]), Number(fields[14])];
}

function childTicks(pid: number): number {
  try {
    const [utime, stime] = ticksOf(pid);
    return utime + stime;
  } catch {
    return 0; // it ended in between
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}
