import type { QueryRunner } from 'typeorm';
import { backoffMs, sleep } from '../../../common/backoff.js';
import { isRetryable } from '../sqlstate.js';

export interface Backfill {
  readonly table: string;
  /** The primary key. The table is processed in its order. */
  readonly key: string;
  readonly set: string;
  /**
   * The condition of rows that still need the change: after a crash the whole table is read again, and finished rows
   * are skipped.
   */
  readonly where: string;
  readonly batchSize?: number;
}

interface Batch {
  readonly last: string | null;
  readonly seen: number;
  readonly changed: number;
}

const BATCH_SIZE = 2_000;
const REPORT_EVERY_MS = 5_000;
const RETRY = { attempts: 20, baseMs: 50, capMs: 2_000 };

/**
 * Updates a large table in short transactions, one range of its key at a time, while others write to it. Returns the
 * number of changed rows. It rests as long as it works, so that requests keep their share of the disk. Rows are locked
 * in key order, as in the repositories.
 */
export async function backfill(runner: QueryRunner, work: Backfill): Promise<number> {
  if (runner.isTransactionActive) throw new Error('a backfill needs a migration with transaction = false');
  const total = await estimatedRows(runner, work.table);
  const { logger } = runner.dataSource;
  let reportAt = performance.now() + REPORT_EVERY_MS;
  let after: string | null = null;
  let [seen, changed] = [0, 0];
  for (;;) {
    const startedAt = performance.now();
    const batch: Batch = await nextBatch(runner, work, after);
    if (batch.last === null) return changed;
    after = batch.last;
    seen += batch.seen;
    changed += batch.changed;
    if (performance.now() >= reportAt) {
      logger.log('info', `backfilling ${work.table}: ${seen} of about ${Math.max(seen, total)} rows`);
      reportAt = performance.now() + REPORT_EVERY_MS;
    }
    if (batch.changed > 0) await sleep(performance.now() - startedAt);
  }
}

async function nextBatch(runner: QueryRunner, work: Backfill, after: string | null): Promise<Batch> {
  const params = after === null ? [] : [after];
  const sql = batchSql(work, params.length > 0);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [batch] = await runner.manager.query<Batch[]>(sql, params);
      return batch ?? { last: null, seen: 0, changed: 0 };
    } catch (error) {
      if (attempt >= RETRY.attempts || !isRetryable(error)) throw error;
      await sleep(backoffMs(RETRY, attempt));
    }
  }
}

function batchSql({ table, key, set, where, batchSize = BATCH_SIZE }: Backfill, isLater: boolean): string {
  return `
    WITH range AS MATERIALIZED (
      SELECT ${key} FROM ${table} ${isLater ? `WHERE ${key} > $1` : ''} ORDER BY ${key} LIMIT ${batchSize}),
    undone AS MATERIALIZED (
      SELECT ${key} FROM ${table} WHERE ${key} IN (SELECT ${key} FROM range) AND (${where}) ORDER BY ${key} FOR NO KEY UPDATE),
    changed AS (
      UPDATE ${table} SET ${set} WHERE ${key} IN (SELECT ${key} FROM undone) AND (${where}) RETURNING 1)
    SELECT (SELECT ${key} FROM range ORDER BY ${key} DESC LIMIT 1)::text AS last,
      (SELECT count(*)::int FROM range) AS seen, (SELECT count(*)::int FROM changed) AS changed`;
}

async function estimatedRows(runner: QueryRunner, table: string): Promise<number> {
  const [row] = await runner.manager.query<{ rows: number }[]>(
    'SELECT greatest(reltuples, 0)::float8 AS rows FROM pg_class WHERE oid = $1::regclass',
    [table],
  );
  return Math.round(row?.rows ?? 0);
}
