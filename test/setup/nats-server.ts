import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { requireProgram } from './debian-package.js';

export interface NatsServer {
  readonly url: string;
  /** Starts it again after `kill`, with what it had stored. */
  start(): Promise<void>;
  /** SIGKILL: no goodbye to the clients. */
  kill(): Promise<void>;
  /** For good: what it stored is removed. */
  remove(): Promise<void>;
}

const READY = 'Server is ready';
const START_TIMEOUT_MS = 60_000;

/** A real server with JetStream on a free port, not running yet. Where none is installed it gets one. */
export async function prepareNats(): Promise<NatsServer> {
  const program = requireProgram('nats-server', 'nats-server');
  const port = await freePort();
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-nats-'));
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    start: async () => {
      const args = ['--jetstream', '--store_dir', directory, '--addr', '127.0.0.1', '--port', String(port)];
      child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
      await readiness(child);
    },
    kill,
    remove: async () => {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function startNats(): Promise<NatsServer> {
  const server = await prepareNats();
  await server.start();
  return server;
}

function readiness(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`nats-server did not start: ${output}`)), START_TIMEOUT_MS);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`nats-server ended: ${output}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes(READY)) return;
      clearTimeout(timer);
      child.stderr?.removeAllListeners('data').resume();
      resolve();
    });
  });
}
