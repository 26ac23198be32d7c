import { statement } from '../../../platform/postgres/statement.js';
import type { Queryable } from '../../../platform/postgres/tx.js';

const CREATE = statement(
  'sandbox-settings-create',
  `INSERT INTO sandbox.settings (webhook_secret) VALUES ($1) ON CONFLICT (is_only) DO NOTHING`,
);
const READ = statement('sandbox-settings-read', `SELECT webhook_secret, faults FROM sandbox.settings`);
const LOCK = statement('sandbox-settings-lock', `SELECT faults FROM sandbox.settings FOR UPDATE`);
const SET_FAULTS = statement('sandbox-settings-set-faults', `UPDATE sandbox.settings SET faults = $1`);

/** The first instance chooses the secret, and all others read it. */
export async function readOrCreateSettings(db: Queryable, newSecret: string): Promise<string> {
  await db.query(CREATE, [newSecret]);
  const [row] = await db.query<{ webhook_secret: string }>(READ, []);
  if (!row) throw new Error('the sandbox has no settings row');
  return row.webhook_secret;
}

export async function readFaults(db: Queryable): Promise<unknown> {
  const [row] = await db.query<{ faults: unknown }>(READ, []);
  return row?.faults ?? {};
}

/** Nobody else takes from the script until the transaction has ended. */
export async function lockFaults(tx: Queryable): Promise<unknown> {
  const [row] = await tx.query<{ faults: unknown }>(LOCK, []);
  return row?.faults ?? {};
}

export async function writeFaults(db: Queryable, faults: object): Promise<void> {
  await db.query(SET_FAULTS, [JSON.stringify(faults)]);
}
