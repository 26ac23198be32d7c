import { type PgPool, runMigrations } from 'bullmq';
import pg from 'pg';
import { writablePool } from '../platform/postgres/bounded-client.js';
import { connectionTarget } from '../platform/postgres/servers.js';
import { applySettings } from '../platform/postgres/session-settings.js';

export interface QueuePools {
  readonly producer: PgPool;
  readonly consumer: PgPool;
  close(): Promise<void>;
}

/** Three for work, and one on which the worker listens. */
const CONSUMER_CONNECTIONS = 4;
/** BullMQ's default, and the only schema that it accepts with pools that are not its own. */
const SCHEMA = 'bullmq';

/** Our own pools for BullMQ, which would set its search_path by a startup parameter that PgBouncer refuses. */
export async function openQueuePools(databaseUrl: string): Promise<QueuePools> {
  const pools = [poolOf(databaseUrl, 1), poolOf(databaseUrl, CONSUMER_CONNECTIONS)] as const;
  const close = async () => {
    await Promise.all(pools.map((pool) => pool.end()));
  };
  try {
    await prepareSchema(pools[0]);
  } catch (error) {
    await close();
    throw error;
  }
  return { producer: toQueuePool(pools[0]), consumer: toQueuePool(pools[1]), close };
}

/** The boundary to BullMQ's types: a pool of pg is what it wants, but @types/pg declares narrower overloads. */
function toQueuePool(pool: pg.Pool): PgPool {
  return pool as unknown as PgPool;
}

function poolOf(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    ...writablePool(),
    ...connectionTarget(url),
    max,
    keepAlive: true,
    application_name: 'checkout-saga webhooks',
    onConnect: applySettings({ search_path: SCHEMA }),
  });
  pool.on('error', () => undefined); // reported by the queue and its worker
  return pool;
}

async function prepareSchema(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, SCHEMA);
  } finally {
    client.release();
  }
}
