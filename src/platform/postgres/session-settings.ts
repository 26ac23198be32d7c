import type { ClientBase, Pool } from 'pg';

export type SessionSettings = Readonly<Record<string, string | number>>;

const TIMEOUT_MS = 5_000;

/**
 * For a pool's `onConnect`: applies settings to a session in one round trip. Startup parameters would cost no round
 * trip, but PgBouncer refuses or ignores them.
 */
export function applySettings(settings: SessionSettings): (client: ClientBase) => unknown {
  const names = Object.keys(settings);
  const values = Object.values(settings).map(String);
  const text = 'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS setting (name, value)';
  const query = { text, values: [names, values], query_timeout: TIMEOUT_MS };
  return (client) => client.query(query); // the pool awaits it, although its types do not say so
}

/** Applies the settings of a pool's sessions to a connection outside the pool. */
export async function applySettingsOf({ options }: Pool, client: ClientBase): Promise<void> {
  const applied: unknown = options.onConnect?.(client);
  await applied;
}
