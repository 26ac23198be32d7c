import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ApiClient } from './api-client.js';
import { programOf } from './programs.js';

export const KEYS = {
  ADMIN_API_KEY: 'admin-key-for-tests-only',
  STOREFRONT_API_KEY: 'storefront-key-for-tests',
  ACCESS_TOKEN_SECRET: 'access-token-secret-for-tests',
} as const;

export interface AppProcess {
  readonly url: string;
  readonly pid: number;
  readonly api: ApiClient;
  /** Everything written to stdout and stderr so far. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal (SIGTERM by default) and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  exited(): Promise<number | null>;
  hasEnded(): boolean;
}

/** Generous: on a busy machine a start that takes one second takes many. */
const START_TIMEOUT_MS = 90_000;

/** The built application as a process of its own, for tests that kill, pause and restart it; or another release's. */
export function startAppProcess(
  env: Readonly<Record<string, string>>,
  { main = programOf('main'), withinMs = START_TIMEOUT_MS } = {},
): Promise<AppProcess> {
  return running(launch(env, [], main), withinMs);
}

/** A process that has loaded the application and runs it on command. */
export interface PreparedProcess {
  start(): Promise<AppProcess>;
  discard(): void;
}

/** Most of a start is loading. Tests that restart often load the next process while the current one runs. */
export function prepareAppProcess(env: Readonly<Record<string, string>>): PreparedProcess {
  const child = launch(env, ['--import', programOf('standby')]);
  return {
    start: () => {
      child.send('start');
      return running(child, START_TIMEOUT_MS);
    },
    discard: () => void child.kill('SIGKILL'),
  };
}

function launch(
  env: Readonly<Record<string, string>>,
  flags: readonly string[],
  main = programOf('main'),
): ChildProcess {
  return spawn(process.execPath, [...flags, main], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
      ...KEYS,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(flags.length > 0 ? (['ipc'] as const) : [])],
  });
}

async function running(child: ChildProcess, withinMs: number): Promise<AppProcess> {
  const chunks: string[] = [];
  child.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const output = () => chunks.join('');
  const url = await listening(child, output, withinMs);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const exited = async () => (hasEnded() ? child.exitCode : ((await once(child, 'exit')) as [number | null])[0]);
  return {
    url,
    pid: child.pid!,
    api: new ApiClient(url, KEYS),
    output,
    signal: (signal) => void child.kill(signal),
    stop: async (signal = 'SIGTERM') => {
      const end = exited();
      child.kill(signal);
      return end;
    },
    exited,
    hasEnded,
  };
}

function listening(child: ChildProcess, output: () => string, withinMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the application did not start in time:\n${output()}`));
    }, withinMs);
    const check = () => {
      const url = /is ready at (http:\S+)/.exec(output())?.[1];
      if (!url) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout!.on('data', check);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the application ended with ${code} before it was ready:\n${output()}`));
    });
  });
}
