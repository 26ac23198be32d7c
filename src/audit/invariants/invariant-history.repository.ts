import { Injectable } from '@nestjs/common';
import { newId } from '../../common/id.js';
import { columnsOf } from '../../platform/postgres/entity-columns.js';
import { overRows } from '../../platform/postgres/rows.js';
import { FROM_NEWEST, statement } from '../../platform/postgres/statement.js';
import type { Queryable } from '../../platform/postgres/tx.js';
import { InvariantResultEntity } from './invariant-result.entity.js';
import type { InvariantResult } from './invariants.dto.js';

const MEMBERS = ['id', 'name', 'isOk', 'count', 'violations', 'firstAt', 'lastAt', 'rounds'] as const;
export type ResultRow = Readonly<Pick<InvariantResultEntity, (typeof MEMBERS)[number]>>;

const COLUMNS = columnsOf(InvariantResultEntity, MEMBERS);
/** Of violations that are alike, a few show what is wrong. */
const STORED_VIOLATIONS = 20;

/** Extends the last result of each check if it is the same, and else begins a new one. The database's clock is shared. */
const RECORD = overRows<Pick<ResultRow, 'id' | 'name' | 'isOk' | 'count' | 'violations'>>(
  'invariants.record',
  { id: 'uuid', name: 'text', isOk: 'boolean', count: 'int', violations: 'jsonb' },
  (given) => `
   WITH given AS (SELECT * FROM ${given}), same AS (
     UPDATE invariant_results SET last_at = now(), rounds = rounds + 1
     FROM given CROSS JOIN LATERAL (
       SELECT id AS last_id FROM invariant_results AS last WHERE last.name = given.name ORDER BY id DESC LIMIT 1) AS last
     WHERE invariant_results.id = last_id AND invariant_results.is_ok = given."isOk"
       AND invariant_results.count = given.count AND invariant_results.violations = given.violations
     RETURNING invariant_results.name)
   INSERT INTO invariant_results (id, name, is_ok, count, violations, first_at, last_at)
   SELECT id, name, "isOk", count, violations, now(), now() FROM given WHERE name NOT IN (SELECT name FROM same)`,
);

const LIST = statement(
  'invariants.history',
  `SELECT ${COLUMNS} FROM invariant_results
   WHERE ($2::text IS NULL OR name = $2) AND id < coalesce($1, ${FROM_NEWEST}) ORDER BY id DESC LIMIT $3`,
);

const LATEST = statement(
  'invariants.latest',
  `SELECT DISTINCT ON (name) ${COLUMNS} FROM invariant_results ORDER BY name, id DESC`,
);

/** Broken since the check last held: what is compared a part at a time may be found broken in several parts. */
const BROKEN_SINCE_OK = statement(
  'invariants.broken-since-ok',
  `SELECT ${COLUMNS} FROM invariant_results WHERE name = $1 AND NOT is_ok
     AND id > coalesce((SELECT id FROM invariant_results WHERE name = $1 AND is_ok ORDER BY id DESC LIMIT 1), '00000000-0000-0000-0000-000000000000')
   ORDER BY id DESC LIMIT $2`,
);

const PURGE = statement(
  'invariants.purge',
  `DELETE FROM invariant_results WHERE id IN (
     SELECT id FROM invariant_results AS old WHERE last_at < now() - $1 * interval '1 second'
       AND EXISTS (SELECT FROM invariant_results AS newer WHERE newer.name = old.name AND newer.id > old.id)
     LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1 AS one`,
);

@Injectable()
export class InvariantHistoryRepository {
  async record(db: Queryable, results: readonly InvariantResult[]): Promise<void> {
    const rows = results.map(({ name, ok, violations }) => ({
      id: newId(),
      name,
      isOk: ok,
      count: violations.length,
      violations: violations.slice(0, STORED_VIOLATIONS),
    }));
    if (rows.length > 0) await db.query(...RECORD.over(rows as never));
  }

  /** Newest first. */
  list(
    db: Queryable,
    { name, before, limit }: { name?: string | undefined; before?: string | undefined; limit: number },
  ): Promise<ResultRow[]> {
    return db.query<ResultRow>(LIST, [before ?? null, name ?? null, limit]);
  }

  /** What every check found last. */
  latest(db: Queryable): Promise<ResultRow[]> {
    return db.query<ResultRow>(LATEST, []);
  }

  brokenSinceOk(db: Queryable, name: string, limit: number): Promise<ResultRow[]> {
    return db.query<ResultRow>(BROKEN_SINCE_OK, [name, limit]);
  }

  /** The last result of a check stays, however old. */
  async purge(db: Queryable, olderThanSeconds: number, limit: number): Promise<number> {
    return (await db.query(PURGE, [olderThanSeconds, limit])).length;
  }
}
