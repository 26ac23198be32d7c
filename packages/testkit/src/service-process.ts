import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface ServiceProcess {
  readonly url: string;
  /** Everything that it has written, for a test that fails. */
  readonly output: () => string;
  stop(): Promise<void>;
}

/** Generous: on a busy machine a start of two seconds takes many. */
const START_MS = 90_000;
const STOP_MS = 20_000;

/** The service as its package has it, in a process of its own that ends with this one. */
export async function startService(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [binary()], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const output = () => chunks.join('');
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const url = await listening(child, output);
  return {
    url,
    output,
    stop: async () => {
      await ended(child);
      process.off('exit', kill);
    },
  };
}

function binary(): string {
  const manifest = createRequire(import.meta.url).resolve('checkout-saga/package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> };
  return path.join(path.dirname(manifest), bin['checkout-saga'] ?? '');
}

function listening(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`checkout-saga ${reason}:\n${output()}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('did not start in time');
    }, START_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code} before it was ready`);
    });
    child.stdout?.on('data', () => {
      const url = /is ready at (http:\S+)/.exec(output())?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
}

/** SIGTERM lets it stop its database too; what does not heed it is killed. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exit;
  clearTimeout(timer);
}
