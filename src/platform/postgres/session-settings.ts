import type { ClientBase, Pool } from 'pg';

export type SessionSettings = Readonly<Record<string, string | number>>;

const TIMEOUT_MS = 5_000;

/**
 * For a pool's `onConnect`: settings of its sessions, in one round trip. Not as startup parameters, although those would
 * cost none: PgBouncer refuses them, or ignores them where it is told to.
 */
export function applySettings(settings: SessionSettings): (client: ClientBase) => unknown {
  const names = Object.keys(settings);
  const values = Object.values(settings).map(String);
  const text = 'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS setting (name, value)';
  const query = { text, values: [names, values], query_timeout: TIMEOUT_MS };
  return (client) => client.query(query); // waited for by the pool, although its types do not say so
}

/** The settings of a pool's sessions, for a connection beside it. */
export async function applySettingsOf({ options }: Pool, client: ClientBase): Promise<void> {
  const applied: unknown = options.onConnect?.(client);
  await applied;
}
