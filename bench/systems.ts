import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { KEYS } from '../test/setup/app-process.js';
import { Backing, Server, startNode, startService } from './processes.js';
import { violationsOf } from './verify.js';

export const SPREAD_SKUS = Array.from({ length: 200 }, (_, i) => `sku-${i + 1}`);
export const HOT_SKU = 'sku-1';
export const PLENTY = 100_000_000;

/** A system under test: where it listens, and how its own tables show what it has done. */
export interface System {
  readonly database: string;
  readonly url: string;
  readonly server: Server | undefined;
  addSku(sku: string, onHand: number): Promise<void>;
  onHandOf(sku: string): Promise<number>;
  confirmedOrders(): Promise<number>;
  violations(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Floor, ceiling and naive have the same small tables, each in a database of its own. */
export async function startPlain(
  backing: Backing,
  database: string,
  script?: 'bare.mjs' | 'naive.mjs',
): Promise<System> {
  await backing.admin.query(`CREATE DATABASE ${database}`);
  const url = backing.urlOf(database);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(readFileSync(path.join(import.meta.dirname, 'sql/schema.sql'), 'utf8'));
  const env = { DATABASE_URL: url, REDIS_URL: backing.redisUrl };
  const server = script && (await startNode([path.join(import.meta.dirname, 'servers', script)], env, '/'));
  const number = async (sql: string, params: unknown[] = []) =>
    Number(Object.values((await client.query<Record<string, unknown>>(sql, params)).rows[0] ?? {})[0]);
  const system: System = {
    database,
    url,
    server,
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
  return system;
}

export async function startOurs(
  backing: Backing,
  database: string,
  nodeFlags: readonly string[],
  main?: string,
): Promise<System> {
  await ensureDatabase(backing, database);
  const server = await startService(backing, database, nodeFlags, main);
  const url = backing.urlOf(database);
  const base = `http://127.0.0.1:${server.port}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const system: System = {
    database,
    url,
    server,
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
    stop: async () => {
      await server.stop();
      await client.end();
    },
  };
  for (const sku of SPREAD_SKUS) await system.addSku(sku, PLENTY);
  return system;
}

async function ensureDatabase({ admin }: Backing, database: string): Promise<void> {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [database]);
  if (rowCount === 0) await admin.query(`CREATE DATABASE ${database}`);
}

export async function putSku(base: string, sku: string, onHand: number): Promise<void> {
  const response = await fetch(`${base}/v1/skus/${encodeURIComponent(sku)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-api-key': KEYS.ADMIN_API_KEY },
    body: JSON.stringify({ name: `Item ${sku}`, unitAmount: 1_000, currency: 'EUR', onHand }),
  });
  if (!response.ok) throw new Error(`PUT /v1/skus/${sku}: ${response.status} ${await response.text()}`);
}
