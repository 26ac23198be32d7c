import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { requireProgram } from './debian-package.js';
import { eventually } from './eventually.js';

export interface PgBouncer {
  /** That of the server, through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A real PgBouncer in front of the server of `url`, with its defaults but for the given settings. */
export async function startPgBouncer(url: string, settings: Readonly<Record<string, string>>): Promise<PgBouncer> {
  const program = requireProgram('pgbouncer', 'pgbouncer');
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-pgbouncer-'));
  chmodSync(directory, 0o755); // as root it runs as another user, who has to read its configuration
  const port = await freePort();
  const file = path.join(directory, 'pgbouncer.ini');
  writeFileSync(file, configuration(new URL(url), port, settings));
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, ['-q', ...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await eventually('PgBouncer', async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${output}`);
    return (await isListening(port)) || undefined;
  });
  const throughPooler = Object.assign(new URL(url), { host: `127.0.0.1:${port}` });
  return {
    url: throughPooler.toString(),
    stop: async () => {
      await end(child);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function configuration(server: URL, port: number, settings: Readonly<Record<string, string>>): string {
  const { hostname, port: serverPort, username, password } = server;
  const login = `user=${username} password=${decodeURIComponent(password)}`;
  return [
    '[databases]',
    `* = host=${hostname} port=${serverPort || '5432'} ${login}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
    '',
  ].join('\n');
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
