import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { findProgram, isRunnable } from './debian-package.js';

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
  /** SIGKILL: no goodbye to the clients. */
  kill(): Promise<void>;
  /** SIGSTOP: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
}

export interface RedisServerOptions {
  readonly port?: number;
  readonly args?: readonly string[];
}

const READY = 'Ready to accept connections';
const START_TIMEOUT_MS = 60_000;

/** A real server on a free port that keeps nothing on disk. Where none is installed it gets one; it never skips. */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const port = options.port ?? (await freePort());
  const child = launch(port, options.args ?? []);
  await readiness(child);
  const { pid } = child;
  if (pid === undefined) throw new Error('redis-server has no process id');
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await exit;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  };
}

function launch(port: number, args: readonly string[]): ChildProcess {
  const flags = ['--port', String(port), '--save', '', '--appendonly', 'no', ...args];
  const stdio = ['ignore', 'pipe', 'ignore'] as const;
  const program = findProgram('redis-server', 'redis-server');
  if (program !== undefined) return spawn(program, ['--bind', '127.0.0.1', ...flags], { stdio: [...stdio] });
  if (isRunnable('docker', 'info')) {
    const publish = `127.0.0.1:${port}:${port}`;
    return spawn('docker', ['run', '--rm', '-p', publish, 'redis:7-alpine', 'redis-server', ...flags], {
      stdio: [...stdio],
    });
  }
  throw new Error('The tests need a redis-server: install the package, start a Docker engine, or set REDIS_URL.');
}

function readiness(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`redis-server did not start: ${output}`)), START_TIMEOUT_MS);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`redis-server ended: ${output}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes(READY)) return;
      clearTimeout(timer);
      child.stdout?.removeAllListeners('data').resume();
      resolve();
    });
  });
}
