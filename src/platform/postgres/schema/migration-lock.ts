import type { QueryRunner } from 'typeorm';
import { sleep } from '../../../common/backoff.js';
import type { ProgressReport } from './progress-report.js';

/** Any number: it only has to be the same in every instance and every release. */
const MIGRATION_LOCK = 7_261_003;
/**
 * Release 0.1.0 waits for this lock inside a statement, and CREATE INDEX CONCURRENTLY waits for that statement. So it
 * is never kept.
 */
const FIRST_RELEASE_LOCK = 7_261_001;
const POLL_MS = 250;
const REMIND_MS = 10_000;

/**
 * Instances that start together migrate one after the other. The lock belongs to the migrating session, so it cannot be
 * lost while that session works. It is polled for, because CREATE INDEX CONCURRENTLY waits for every running statement,
 * including one that waits for this lock.
 */
export async function whileLocked<T>(
  runner: QueryRunner,
  report: ProgressReport,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  let nextReminderAt = performance.now();
  while (!(await tryLock(runner))) {
    if (performance.now() >= nextReminderAt) {
      report('warn', 'another instance migrates the database: waiting for it to finish');
      nextReminderAt = performance.now() + REMIND_MS;
    }
    await sleep(POLL_MS, signal);
    signal?.throwIfAborted();
  }
  try {
    return await work();
  } finally {
    await unlock(runner, MIGRATION_LOCK).catch(() => undefined); // it ends with the session
  }
}

async function tryLock(runner: QueryRunner): Promise<boolean> {
  if (!(await isGranted(runner, MIGRATION_LOCK))) return false;
  const isFree = await isGranted(runner, FIRST_RELEASE_LOCK);
  await unlock(runner, isFree ? FIRST_RELEASE_LOCK : MIGRATION_LOCK);
  return isFree;
}

async function isGranted({ manager }: QueryRunner, lock: number): Promise<boolean> {
  const sql = 'SELECT pg_try_advisory_lock($1) AS "isGranted"';
  const [row] = await manager.query<{ isGranted: boolean }[]>(sql, [lock]);
  return row?.isGranted === true;
}

async function unlock(runner: QueryRunner, lock: number): Promise<void> {
  await runner.query('SELECT pg_advisory_unlock($1)', [lock]);
}
