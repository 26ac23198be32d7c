import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { RunningPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { createLockSchema } from '../setup/lock-schema.js';
import { RedisServer, startRedis } from '../setup/redis-server.js';
import { startConsensusBackend } from './consensus-backend.js';
import { TcpProxy } from './tcp-proxy.js';

export type ConsensusKind = 'etcd' | 'zookeeper';
export type DriverKind = 'redis' | 'redlock' | 'postgres' | ConsensusKind;

/** Everything a process needs to reach the store; travels to workers as JSON. */
export type DriverSpec =
  | { readonly kind: 'redis'; readonly url: string }
  | { readonly kind: 'redlock' | ConsensusKind; readonly urls: readonly string[] }
  | { readonly kind: 'postgres'; readonly url: string };

/** A store of the test's own, and everything that may happen to it. */
export interface Backend {
  readonly kind: DriverKind;
  readonly direct: DriverSpec;
  /** The same store through wires that can be slow or cut. */
  readonly proxied: DriverSpec;
  readonly wires: readonly TcpProxy[];
  pause(): void;
  resume(): void;
  /** SIGKILL and a fresh start: what was only in memory is gone. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  flush(): Promise<void>;
  /** Breaks the connections over which wake-ups come. */
  dropListeners(): Promise<void>;
  stop(): Promise<void>;
}

export const REDLOCK_NODES = 5;

export function startBackend(kind: DriverKind): Promise<Backend> {
  switch (kind) {
    case 'postgres':
      return startPostgresBackend();
    case 'etcd':
    case 'zookeeper':
      return startConsensusBackend(kind);
    case 'redis':
    case 'redlock':
      return startRedisBackend(kind);
  }
}

async function startRedisBackend(kind: 'redis' | 'redlock'): Promise<Backend> {
  const count = kind === 'redis' ? 1 : REDLOCK_NODES;
  let servers = await Promise.all(Array.from({ length: count }, () => startRedis()));
  const wires = await Promise.all(servers.map(({ port }) => TcpProxy.start(port)));
  const spec = (ports: readonly number[]): DriverSpec => {
    const urls = ports.map((port) => `redis://127.0.0.1:${port}`);
    return kind === 'redis' ? { kind, url: urls[0]! } : { kind, urls };
  };
  const command = async (...args: [string, ...string[]]) => {
    for (const server of servers) await runCommand(server, args);
  };
  return {
    kind,
    wires,
    direct: spec(servers.map(({ port }) => port)),
    proxied: spec(wires.map(({ port }) => port)),
    pause: () => servers.forEach((server) => server.pause()),
    resume: () => servers.forEach((server) => server.resume()),
    kill: async () => {
      await Promise.all(servers.map((server) => server.kill()));
    },
    restart: async () => {
      servers = await Promise.all(servers.map(({ port }) => startRedis({ port })));
    },
    flush: () => command('FLUSHALL'),
    dropListeners: () => command('CLIENT', 'KILL', 'TYPE', 'pubsub'),
    stop: async () => {
      await Promise.all(wires.map((wire) => wire.stop()));
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

async function runCommand(server: RedisServer, [name, ...args]: [string, ...string[]]): Promise<void> {
  const redis = new Redis(server.url);
  await redis.call(name, ...args);
  redis.disconnect();
}

async function startPostgresBackend(): Promise<Backend> {
  const directory = mkdtempSync(path.join(tmpdir(), 'checkout-lock-'));
  chmodSync(directory, 0o755);
  const launch = () =>
    startEmbeddedPostgres(path.join(directory, 'postgres'), { settings: { fsync: 'off', max_connections: '200' } });
  let server = await launch();
  await query(server.url, (client) => createLockSchema((sql) => client.query(sql)));
  const wire = await TcpProxy.start(portOf(server.url));
  const proxied = Object.assign(new URL(server.url), { port: String(wire.port) }).toString();
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of processesOf(server)) signalOne(pid, signal);
  };
  return {
    kind: 'postgres',
    wires: [wire],
    get direct(): DriverSpec {
      return { kind: 'postgres', url: server.url };
    },
    proxied: { kind: 'postgres', url: proxied },
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    kill: async () => {
      signalAll('SIGKILL');
      await server.stop();
    },
    restart: async () => {
      server = await launch();
      wire.targetPort = portOf(server.url);
    },
    flush: () => query(server.url, (client) => client.query('TRUNCATE lock_leases')),
    dropListeners: () =>
      query(server.url, (client) =>
        client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'`),
      ),
    stop: async () => {
      await wire.stop();
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function query(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client);
  await client.end();
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** The server and its backends: each of them is a process of its own. */
function processesOf(server: RunningPostgres): number[] {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' });
  return [server.pid, ...children.split('\n').map(Number).filter(Boolean)];
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it ended meanwhile
  }
}
