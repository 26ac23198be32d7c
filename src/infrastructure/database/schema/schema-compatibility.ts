import type { EntityManager, QueryRunner } from 'typeorm';
import { migrations } from '../../../../migrations/list.js';
import { ConfigurationError } from '../../config/app-config.js';

export interface SchemaState {
  readonly state: 'up' | 'down';
  readonly detail?: string;
}

/** A DataSource, or the manager of a query runner. */
type Querying = Pick<EntityManager, 'query'>;

/** TypeORM takes a migration's time from the end of its name. */
function timestampOf(name: string): number {
  return Number(name.slice(-13));
}

/** What this release needs; contractions only take away what it does not use any more. */
const NEEDED: readonly string[] = migrations
  .filter((Each) => new Each().isContraction !== true)
  .map(({ name }) => name);

/** The newest of them: what the schema may demand of those who use it. */
const NEWEST = Math.max(...NEEDED.map(timestampOf));

const OLDEST_COMPATIBLE = 'SELECT max(oldest_compatible)::float8 AS oldest FROM schema_compatibility';

/**
 * Whether this release can work with the schema as it is now, which instances of later releases may have changed since
 * the start. A schema with more than we know is fine (expand); one that has dropped what we use says so (contract) by the
 * newest migration that a release must know.
 */
export class SchemaCompatibility {
  constructor(private readonly db: Querying) {}

  async check(): Promise<SchemaState> {
    const missing = await this.missing();
    if (missing.length > 0)
      return { state: 'down', detail: `${missing.length} of ${NEEDED.length} migrations are not applied` };
    const refusal = refusalOf(await oldestCompatible(this.db));
    return refusal === undefined ? { state: 'up' } : { state: 'down', detail: refusal };
  }

  private async missing(): Promise<string[]> {
    const rows = await this.db.query<{ name: string }[]>('SELECT name FROM migrations');
    const applied = new Set(rows.map(({ name }) => name));
    return NEEDED.filter((name) => !applied.has(name));
  }
}

/** Before anything is migrated: an older release must not touch a schema that it does not understand. */
export async function assertUnderstood(db: Querying): Promise<void> {
  const [row] = await db.query<{ exists: boolean }[]>(
    `SELECT to_regclass('schema_compatibility') IS NOT NULL AS exists`,
  );
  const refusal = row?.exists === true ? refusalOf(await oldestCompatible(db)) : undefined;
  if (refusal !== undefined) throw new ConfigurationError(refusal);
}

/** For contractions: releases that lack the migration of this time must not use the schema any more. */
export async function demandMigration(runner: QueryRunner, timestamp: number): Promise<void> {
  await runner.query(`UPDATE schema_compatibility SET oldest_compatible = greatest(oldest_compatible, $1)`, [
    timestamp,
  ]);
}

async function oldestCompatible(db: Querying): Promise<number> {
  const [row] = await db.query<{ oldest: number | null }[]>(OLDEST_COMPATIBLE);
  return row?.oldest ?? 0;
}

function refusalOf(oldest: number): string | undefined {
  if (oldest <= NEWEST) return undefined;
  return `The database was upgraded by a later release, which this one does not understand (it needs migration ${oldest}, the newest here is ${NEWEST}): run that release or a later one`;
}
