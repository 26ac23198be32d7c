import type { AppProcess } from '../setup/app-process.js';
import { eventually } from '../setup/eventually.js';
import { violations } from '../setup/invariants.js';
import { openDatabase, type OpenTestDatabase } from '../setup/test-database.js';
import type { Crowd } from '../setup/crowd.js';
import type { PatroniNode } from './patroni-cluster.js';

const OPEN = `SELECT 1 FROM sagas WHERE state IN ('RUNNING', 'WAITING', 'COMPENSATING')`;
/** Of one intent there is one order at most that keeps money. */
const CHARGED_TWICE = `
  SELECT metadata->>'intent' AS intent, count(*)::int AS charges FROM orders JOIN sandbox.charges ON order_id = orders.id::text
  WHERE charges.state = 'CAPTURED' AND charges.amount > charges.refunded_amount AND metadata->>'intent' = ANY ($1)
  GROUP BY 1 HAVING count(*) > 1`;

/** What is not as it must be, when everybody has gone home and nothing is under way any more. */
export async function check(primary: PatroniNode, apps: readonly AppProcess[], crowd: Crowd): Promise<string[]> {
  const database = openDatabase(primary.url.replace(/\/postgres$/, '/checkout'));
  try {
    await eventually('that nothing is under way', async () => (await database.query(OPEN)).length === 0, {
      withinMs: 120_000,
    });
    const found = await violations(database);
    return [
      ...crowd.intents
        .filter(({ statuses }) => statuses.some((status) => status.startsWith('500')))
        .map((intent) => `an internal error: ${JSON.stringify(intent)}`),
      ...apps
        .filter(({ hasEnded }) => hasEnded())
        .map((app) => `an instance ended by itself:\n${app.output().slice(-3_000)}`),
      ...(await lost(database, crowd)),
      ...(await database.query(CHARGED_TWICE, [crowd.intents.map(({ key }) => key)])).map(
        (row) => `charged twice: ${JSON.stringify(row)}`,
      ),
      ...Object.entries(found).map(([name, rows]) => `${name}: ${JSON.stringify(rows.slice(0, 3))}`),
      ...(await Promise.all(apps.map(ownInvariants))).flat(),
    ];
  } finally {
    await database.close();
  }
}

/** Everybody has a definite answer, and the database says the same. */
async function lost(database: OpenTestDatabase, crowd: Crowd): Promise<string[]> {
  const ids = crowd.intents.map(({ confirmed, rejected }) => confirmed ?? rejected);
  const rows = await database.query<{ id: string; state: string }>(`SELECT id, state FROM orders WHERE id = ANY ($1)`, [
    ids.filter((id) => id !== undefined),
  ]);
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  return crowd.intents
    .filter(({ confirmed, rejected }) => {
      if (confirmed !== undefined) return states.get(confirmed) !== 'CONFIRMED';
      return rejected === undefined || states.get(rejected) !== 'REJECTED';
    })
    .map((intent) => `answered otherwise than it stands: ${JSON.stringify(intent)}`);
}

/** The service's own opinion. */
async function ownInvariants(app: AppProcess): Promise<string[]> {
  if (app.hasEnded()) return [];
  const { status, body } = await app.api.get('/v1/invariants', { key: 'admin' });
  if (status !== 200) return [`GET /v1/invariants: ${status}`];
  return body.ok === true ? [] : [`/v1/invariants: ${JSON.stringify(body.checks.filter((each: any) => !each.ok))}`];
}
