import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { isDoneWithin } from '../../common/deadline.js';
import { messageOf } from '../../common/error-message.js';
import { ConfigurationError } from '../config/app-config.js';
import { BoundedClient } from './bounded-client.js';
import type { ConnectionTarget } from './servers.js';

const TIMEOUT_MS = 5_000;
/** How long a notification may take on a busy machine. */
const NOTIFICATION_MS = 10_000;

/**
 * Refuses a pooler that does not keep one session per client. Settings, prepared statements, LISTEN and the migration
 * lock belong to sessions, and PgBouncer lends a session for one transaction or statement unless its pool_mode is
 * `session`.
 */
export async function refuseUnfitPooler(target: ConnectionTarget, client: pg.Client): Promise<void> {
  const session = await sessionOf(client);
  if (session === processIdOf(client)) return; // the server itself has answered
  const other = new BoundedClient({ ...target, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS });
  other.on('error', () => undefined); // the next statement fails and says why
  try {
    await connectAsWell(other);
    const isShared = (await sessionOf(other)) === session;
    if (!isShared && (await hears(client, other))) return;
  } finally {
    await other.end().catch(() => undefined);
  }
  throw new ConfigurationError(
    'DATABASE_URL leads through a pooler that does not keep a session for each client: set pool_mode = session for this database in PgBouncer, or connect to PostgreSQL itself',
  );
}

async function connectAsWell(other: pg.Client): Promise<void> {
  try {
    await other.connect();
    await other.query('SELECT 1');
  } catch (error) {
    throw new ConfigurationError(
      `The pooler of DATABASE_URL gave no second connection (${messageOf(error)}): each instance needs as many as README says`,
      { cause: error },
    );
  }
}

/** Whether `client` receives a notification of `other` without asking. That needs a session of its own. */
async function hears(client: pg.Client, other: pg.Client): Promise<boolean> {
  const channel = `pooler_${randomBytes(6).toString('hex')}`;
  const notified = new Promise((resolve) => client.once('notification', resolve));
  await client.query(`LISTEN ${channel}`);
  await other.query(`NOTIFY ${channel}`);
  return isDoneWithin(NOTIFICATION_MS, notified);
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

/** The process id in the connection's greeting. A pooler invents one. */
function processIdOf(client: pg.Client): number | undefined {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : undefined;
}
