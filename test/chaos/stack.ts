import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { Redis } from 'ioredis';
import {
  freePort,
  RunningPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/embedded-postgres/embedded-postgres.js';
import { isAlive } from '../../src/platform/embedded-postgres/process-id.js';
import { AppProcess, startAppProcess } from '../setup/app-process.js';
import { RedisServer, startRedis } from '../setup/redis-server.js';
import { ROTATING_KEYS } from './buyer.js';
import { Proxy } from './proxy.js';

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'skewed-clock.mjs')).href;
const SETTINGS = { fsync: 'on', synchronous_commit: 'on', max_connections: '200' };

/** Short leases and deadlines: two minutes have to show what happens in production over hours. */
const SERVICE_ENV = {
  SAGA_LEASE_MS: '3000',
  GATEWAY_TIMEOUT_MS: '1500',
  RESERVATION_TTL_SECONDS: '15',
  RESERVATION_SWEEP_SECONDS: '1',
  PAYMENT_ACTION_TIMEOUT_SECONDS: '10',
  SANDBOX_AUTHENTICATION_MS: '700',
  RECONCILE_SECONDS: '5',
  DATABASE_STATEMENT_TIMEOUT_MS: '2000',
  DATABASE_POOL_SIZE: '10',
  SHUTDOWN_GRACE_MS: '3000',
  LOG_LEVEL: 'info',
};

/** Instances behind a balancer, with real services that can be killed and come back. */
export class Stack {
  readonly instances: (AppProcess | undefined)[] = [];
  /** Instances that ended although nobody had ended them, with their last words. */
  readonly deaths: string[] = [];
  private readonly logs: string[] = [];

  private constructor(
    private readonly directory: string,
    readonly balancer: Proxy,
    private readonly databaseProxy: Proxy,
    private postgres: RunningPostgres,
    private redis: RedisServer,
    private readonly log: (line: string) => void,
  ) {}

  static async start(instances: number, log: (line: string) => void): Promise<Stack> {
    const directory = mkdtempSync(path.join(tmpdir(), 'checkout-chaos-'));
    chmodSync(directory, 0o755);
    const postgres = await startEmbeddedPostgres(path.join(directory, 'postgres'), { settings: SETTINGS });
    const redis = await startRedis({ port: await freePort() });
    const stack = new Stack(directory, await Proxy.start(), await Proxy.start(), postgres, redis, log);
    stack.aimAtPostgres();
    try {
      for (let i = 0; i < instances; i += 1) await stack.startInstance(i);
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  get databaseUrl(): string {
    return Object.assign(new URL(this.postgres.url), { port: String(this.databaseProxy.port) }).toString();
  }

  async startInstance(index: number, skewMs = 0): Promise<void> {
    const env = {
      ...SERVICE_ENV,
      ...ROTATING_KEYS,
      DATABASE_URL: this.databaseUrl,
      REDIS_URL: this.redis.url,
      ...(skewMs !== 0 && { NODE_OPTIONS: `--import ${PRELOAD}`, CLOCK_SKEW_MS: String(Math.round(skewMs)) }),
    };
    // A start while Postgres is away fails, as it should; a supervisor would try again.
    const app = await patiently(() => startAppProcess(env));
    this.instances[index] = app;
    void app.exited().then((code) => this.mourn(index, app, code, skewMs));
    this.balancer.set({ name: `instance-${index}`, host: '127.0.0.1', port: Number(new URL(app.url).port) });
  }

  async stopInstance(index: number, signal: NodeJS.Signals): Promise<void> {
    const app = this.instances[index];
    if (!app) return;
    this.instances[index] = undefined;
    if (signal !== 'SIGKILL') this.balancer.remove(`instance-${index}`); // a graceful stop is announced
    await app.stop(signal);
    this.balancer.remove(`instance-${index}`);
    this.logs.push(`--- instance ${index} (pid ${app.pid}) ended by ${signal}\n${app.output()}`);
  }

  /** A supervisor would start it again, and so do we; that it was needed is a finding. */
  private mourn(index: number, app: AppProcess, code: number | null, skewMs: number): void {
    if (this.instances[index] !== app) return;
    this.instances[index] = undefined;
    this.balancer.remove(`instance-${index}`);
    this.logs.push(`--- instance ${index} (pid ${app.pid}) ended by itself\n${app.output()}`);
    this.deaths.push(`instance ${index} ended by itself with ${code ?? 'a signal'}: ${app.output().slice(-1_500)}`);
    this.log(`instance ${index} ended by itself with ${code ?? 'a signal'}`);
    this.startInstance(index, skewMs).catch((error: unknown) => this.log(`it does not come back: ${String(error)}`));
  }

  /** 'immediate' is a crash: no checkpoint, recovery from the WAL, unlogged tables empty. */
  async stopPostgres(mode: 'fast' | 'immediate'): Promise<void> {
    if (mode === 'fast') return this.postgres.stop();
    process.kill(this.postgres.pid, 'SIGQUIT');
    while (isAlive(this.postgres.pid, 'postgres')) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  async startPostgres(): Promise<void> {
    this.postgres = await patiently(() =>
      startEmbeddedPostgres(path.join(this.directory, 'postgres'), { settings: SETTINGS }),
    );
    this.aimAtPostgres();
  }

  cutPostgres(): void {
    this.databaseProxy.cutAll();
  }

  async killRedis(): Promise<void> {
    await this.redis.kill();
  }

  async startRedis(): Promise<void> {
    this.redis = await startRedis({ port: this.redis.port });
  }

  pauseRedis(): void {
    this.redis.pause();
  }

  resumeRedis(): void {
    this.redis.resume();
  }

  async flushRedis(): Promise<void> {
    const client = new Redis(this.redis.url, { lazyConnect: true });
    await client.connect();
    await client.flushall();
    client.disconnect();
  }

  /** Straight to the server: the checks are no part of the experiment. */
  async connectToDatabase(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.postgres.url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  writeLogs(file: string): void {
    const running = this.instances.map((app, i) => `--- instance ${i} (pid ${app?.pid ?? 0})\n${app?.output() ?? ''}`);
    writeFileSync(file, [...this.logs, ...running].join('\n'));
  }

  async stop(): Promise<void> {
    await Promise.all(this.instances.map((_, index) => this.stopInstance(index, 'SIGTERM')));
    await this.balancer.close();
    await this.databaseProxy.close();
    await this.redis.stop();
    await this.postgres.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private aimAtPostgres(): void {
    const { hostname, port } = new URL(this.postgres.url);
    this.databaseProxy.set({ name: 'postgres', host: hostname, port: Number(port) });
  }
}

async function patiently<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (attempt >= 30) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
