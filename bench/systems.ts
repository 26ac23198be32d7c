import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { KEYS } from '../test/setup/app-process.js';
import type { Subject } from './measure.js';
import { type Backing, type Server, SERVICE, startNode, startService } from './processes.js';
import { violationsOf } from './verify.js';

export const SPREAD_SKUS = Array.from({ length: 200 }, (_, i) => `sku-${i + 1}`);
export const HOT_SKU = 'sku-1';
export const PLENTY = 100_000_000;
/** A row per unit is made in advance: more than the runs of a hot SKU can sell. */
const UNITS = 300_000;

/** Designs for the hot SKU that others use; see servers/rival.mjs. */
export const RIVALS = ['update', 'advisory', 'units'] as const;
export type Rival = (typeof RIVALS)[number];

/** A system under test: where it listens, and how its own tables show what it has done. */
export interface System extends Subject {
  readonly url: string;
  readonly server: Server | undefined;
  addSku(sku: string, onHand: number): Promise<void>;
  onHandOf(sku: string): Promise<number>;
  confirmedOrders(): Promise<number>;
  violations(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Floor, ceiling, naive and the rivals have the same small tables, each in a database of its own. */
export async function startPlain(
  backing: Backing,
  database: string,
  script?: 'bare.mjs' | 'naive.mjs' | 'reads.mjs' | 'rival.mjs',
  settings: Readonly<Record<string, string>> = {},
): Promise<System> {
  await backing.admin.query(`CREATE DATABASE ${database}`);
  const url = backing.urlOf(database);
  const client = await connect(url);
  await client.query(readFileSync(path.join(import.meta.dirname, 'sql/schema.sql'), 'utf8'));
  const env = { DATABASE_URL: url, REDIS_URL: backing.redisUrl, ...settings };
  const server = script && (await startNode([path.join(import.meta.dirname, 'servers', script)], env, '/'));
  const number = async (sql: string, params: unknown[] = []) =>
    Number(Object.values((await client.query<Record<string, unknown>>(sql, params)).rows[0] ?? {})[0]);
  const system: System = {
    ...{ database, url, server, store: backing, pids: server ? [server.pid] : [] },
    addSku: async (sku, onHand) => {
      await client.query('INSERT INTO stock VALUES ($1, $2)', [sku, onHand]);
    },
    onHandOf: (sku) => number('SELECT on_hand FROM stock WHERE sku = $1', [sku]),
    confirmedOrders: () => number(`SELECT count(*) FROM orders WHERE state = 'CONFIRMED'`),
    violations: () => Promise.resolve([]),
    stop: async () => {
      await server?.stop();
      await client.end();
    },
  };
  for (const sku of SPREAD_SKUS) await system.addSku(sku, PLENTY);
  if (settings['DESIGN'] === 'units') {
    await client.query('INSERT INTO units (sku) SELECT $1 FROM generate_series(1, $2::int)', [HOT_SKU, UNITS]);
    await client.query('VACUUM ANALYZE units');
  }
  return system;
}

export async function startOurs(
  backing: Backing,
  database: string,
  nodeFlags: readonly string[],
  main?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<System> {
  await ensureDatabase(backing, database);
  const server = await startService(backing, database, nodeFlags, main, settings);
  const url = backing.urlOf(database);
  const client = await connect(url);
  const subject = { database, url, server, store: backing, pids: [server.pid] };
  const stop = async () => {
    await server.stop();
    await client.end();
  };
  return stocked({ ...subject, ...viewsOf(server, client), stop });
}

/** What a newcomer runs, `npm start`: its own PostgreSQL with its own settings, locks in it, and no Redis. */
export async function startEmbedded(backing: Backing): Promise<System> {
  const directory = path.join(backing.directory, 'embedded');
  const env = { ...KEYS, DATA_DIR: directory, NODE_ENV: 'development', RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };
  const server = await startNode(SERVICE, env, '/health/ready');
  const url = readFileSync(path.join(directory, 'database.url'), 'utf8');
  const postgresPid = Number.parseInt(readFileSync(path.join(directory, 'postgres/postmaster.pid'), 'utf8'), 10);
  const admin = await connect(url);
  const store = { postgresPid, redisPid: undefined, canCount: false, admin };
  const subject = { database: path.basename(new URL(url).pathname), url, server, store, pids: [server.pid] };
  const stop = async () => {
    await admin.end();
    await server.stop();
  };
  return stocked({ ...subject, ...viewsOf(server, admin), stop });
}

async function stocked(system: System): Promise<System> {
  for (const sku of SPREAD_SKUS) await system.addSku(sku, PLENTY);
  return system;
}

function viewsOf(
  { port }: Server,
  client: pg.Client,
): Pick<System, 'addSku' | 'onHandOf' | 'confirmedOrders' | 'violations'> {
  const base = `http://127.0.0.1:${port}`;
  return {
    addSku: (sku, onHand) => putSku(base, sku, onHand),
    onHandOf: async (sku) => {
      const { rows } = await client.query<{ on_hand: number }>('SELECT on_hand FROM skus WHERE sku = $1', [sku]);
      return rows[0]!.on_hand;
    },
    confirmedOrders: async () => {
      const sql = `SELECT count(*)::int AS n FROM orders WHERE state = 'CONFIRMED'`;
      return (await client.query<{ n: number }>(sql)).rows[0]!.n;
    },
    violations: () => violationsOf(base, client),
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // it ends with its server
  await client.connect();
  return client;
}

async function ensureDatabase({ admin }: Backing, database: string): Promise<void> {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [database]);
  if (rowCount === 0) await admin.query(`CREATE DATABASE ${database}`);
}

export async function putSku(base: string, sku: string, onHand: number, group?: string): Promise<void> {
  const response = await fetch(`${base}/v1/skus/${encodeURIComponent(sku)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-api-key': KEYS.ADMIN_API_KEY },
    body: JSON.stringify({ name: `Item ${sku}`, unitAmount: 1_000, currency: 'EUR', onHand, group }),
  });
  if (!response.ok) throw new Error(`PUT /v1/skus/${sku}: ${response.status} ${await response.text()}`);
}
