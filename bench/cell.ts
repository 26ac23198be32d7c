import path from 'node:path';
import { writeFileSync } from 'node:fs';
import { type RunningPostgres, startEmbeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.js';
import { KEYS } from '../test/setup/app-process.js';
import { type Haproxy, runHaproxy } from '../test/setup/haproxy.js';
import { freeze, thaw } from '../test/setup/postgres-pair.js';
import { cpuMsOf, type Server, SERVICE, startNode } from './processes.js';
import { PLENTY, putSku } from './systems.js';

const SKUS = Array.from({ length: 20 }, (_, index) => `sku-${index + 1}`);

/** A shop with all that it needs: a database and an instance that nobody else uses. */
export class Cell {
  private constructor(
    readonly name: string,
    private readonly database: RunningPostgres,
    readonly server: Server,
  ) {}

  /** Durable, as it would be where money is; small, because several of them share this machine. */
  static async start(name: string, directory: string): Promise<Cell> {
    const settings = {
      max_connections: '60',
      shared_buffers: '128MB',
      max_wal_size: '2GB',
      checkpoint_timeout: '30min',
    };
    const database = await startEmbeddedPostgres(path.join(directory, name), { settings });
    const env = {
      ...KEYS,
      DATABASE_URL: database.url,
      PAYMENT_GATEWAY: 'sandbox',
      SANDBOX_IN_PRODUCTION: 'true',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'fatal',
    };
    const server = await startNode(SERVICE, env, '/health/ready');
    for (const sku of SKUS) await putSku(`http://127.0.0.1:${server.port}`, sku, PLENTY);
    return new Cell(name, database, server);
  }

  /** What its customers' requests carry, so that a proxy knows it before anybody looks anything up. */
  get host(): string {
    return `${this.name}.example`;
  }

  get skus(): readonly string[] {
    return SKUS;
  }

  get cpuMs(): number {
    return cpuMsOf(this.server.pid) + cpuMsOf(this.database.pid, true);
  }

  /** As if its host were cut off: all connections stay open, and nothing answers. */
  silenceDatabase(): void {
    freeze(this.database.pid);
  }

  wakeDatabase(): void {
    thaw(this.database.pid);
  }

  /** As if its host had lost its power. The cell's instance stays, with nobody to ask. */
  killDatabase(): void {
    process.kill(this.database.pid, 'SIGKILL');
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.database.stop();
  }
}

/** HAProxy with a map from host names to cells. A name that is not in it is nobody's. */
export function startRouter(cells: readonly Cell[]): Promise<Haproxy> {
  return runHaproxy((port, directory) => {
    const map = path.join(directory, 'cells.map');
    writeFileSync(map, cells.map(({ host, name }) => `${host} ${name}\n`).join(''));
    const backends = cells.map(
      ({ name, server }) => `
backend ${name}
  option httpchk GET /health/ready
  server instance 127.0.0.1:${server.port} check inter 500 fall 2 rise 1`,
    );
    return `
defaults
  mode http
  timeout connect 2s
  timeout check 5s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 60s
  retries 0
frontend shops
  bind 127.0.0.1:${port}
  use_backend %[req.hdr(host),field(1,:),lower,map(${map},nobody)]
backend nobody
  http-request deny deny_status 421
${backends.join('\n')}
`;
  });
}
