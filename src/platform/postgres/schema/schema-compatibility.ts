import type { QueryRunner } from 'typeorm';
import { migrations } from '../../../../migrations/list.js';
import { ConfigurationError } from '../../config/app-config.js';

/**
 * Whether a release and a schema fit. A schema that has more than a release knows is fine (expand). A schema that has
 * dropped something (contract) records the newest migration that a release must know.
 */
export interface SchemaFacts {
  readonly applied: readonly string[];
  readonly oldestCompatible: number;
}

export const SCHEMA_FACTS = `
  SELECT (SELECT array_agg(name) FROM migrations) AS applied,
    (SELECT max(oldest_compatible)::float8 FROM schema_compatibility) AS "oldestCompatible"`;

/** The migrations that this release needs. Contractions only remove what it no longer uses. */
const NEEDED: readonly string[] = migrations
  .filter((Each) => new Each().isContraction !== true)
  .map(({ name }) => name);

/** TypeORM takes a migration's time from the end of its name. */
const NEWEST = Math.max(...NEEDED.map((name) => Number(name.slice(-13))));

/** Why this release cannot work with the schema; undefined if it can. */
export function misfitOf({ applied, oldestCompatible }: SchemaFacts): string | undefined {
  const missing = NEEDED.filter((name) => !applied.includes(name));
  if (missing.length > 0) return `${missing.length} of ${NEEDED.length} migrations are not applied`;
  return laterRelease(oldestCompatible);
}

/** Checked before migrating: an older release must not touch a schema that it does not understand. */
export async function assertUnderstood({ manager }: QueryRunner): Promise<void> {
  const isThere = `SELECT to_regclass('schema_compatibility') IS NOT NULL AS "isThere"`;
  const [table] = await manager.query<{ isThere: boolean }[]>(isThere);
  if (table?.isThere !== true) return;
  const [facts] = await manager.query<SchemaFacts[]>(SCHEMA_FACTS);
  const refusal = laterRelease(facts?.oldestCompatible ?? 0);
  if (refusal !== undefined) throw new ConfigurationError(refusal);
}

function laterRelease(oldestCompatible: number): string | undefined {
  if (oldestCompatible <= NEWEST) return undefined;
  return `The database was upgraded by a later release, which this one does not understand (it needs migration ${oldestCompatible}, the newest here is ${NEWEST}): run that release or a later one`;
}
