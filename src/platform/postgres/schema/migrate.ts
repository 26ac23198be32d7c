import { DataSource, Migration, MigrationExecutor, QueryRunner } from 'typeorm';
import { MigrationClass, migrations as ours } from '../../../../migrations/list.js';
import { backoffMs, sleep } from '../../../common/backoff.js';
import { messageOf } from '../../../common/error-message.js';
import { writablePool } from '../bounded-client.js';
import { connectionTarget } from '../servers.js';
import { isNotAllowed, isRetryable } from '../sqlstate.js';
import { whileLocked } from './migration-lock.js';
import { explainRefusal } from './privileges.js';
import { ProgressReport, ReportingLogger } from './progress-report.js';
import { assertUnderstood } from './schema-compatibility.js';

export interface MigrateOptions {
  readonly report?: ProgressReport;
  /** Aborts the wait for other instances. */
  readonly signal?: AbortSignal | undefined;
  /** Also applies the contractions, which is safe when no instance of an earlier release runs or will run again. */
  readonly isContracting?: boolean;
  /** By default those of this release. */
  readonly migrations?: readonly MigrationClass[];
}

interface Run {
  readonly runner: QueryRunner;
  readonly executor: MigrationExecutor;
  readonly report: ProgressReport;
  readonly signal: AbortSignal | undefined;
  readonly isContracting: boolean;
}

/**
 * A statement may take as long as it needs, but waits only this long for a lock: other requests for the same table have
 * to queue behind a request for an ACCESS EXCLUSIVE lock.
 */
const LOCK_TIMEOUT_MS = 1_000;
const RETRY = { baseMs: 500, capMs: 10_000 };
const CONNECT_TIMEOUT_MS = 5_000;

/** The settings that the server knows: `transaction_timeout` came with PostgreSQL 17. */
const SESSION = `
  SELECT set_config(name, value, false) FROM pg_settings JOIN (VALUES ('statement_timeout', '0'), ('transaction_timeout', '0'),
    ('idle_in_transaction_session_timeout', '0'), ('lock_timeout', '${LOCK_TIMEOUT_MS}')) AS wanted (name, value) USING (name)`;

/** Migrates the schema to this release and returns the number of migrations applied. */
export function migrate(url: string, options: MigrateOptions = {}): Promise<number> {
  const { report = () => undefined, signal, migrations = ours } = options;
  return onMigrationConnection(url, migrations, report, async (runner, dataSource) => {
    const executor = new MigrationExecutor(dataSource, runner);
    await assertUnderstood(runner);
    const isEmpty = (await executor.getExecutedMigrations()).length === 0;
    const isContracting = options.isContracting === true || isEmpty; // an empty database has no earlier release
    const run = { runner, executor, report, signal, isContracting };
    if ((await pendingOf(run)).length === 0) return 0; // also for a role that may only run the service
    return applyAll(run);
  });
}

/** Reverts the last migration. */
export function revertLast(url: string): Promise<void> {
  return onMigrationConnection(url, ours, undefined, async (runner, dataSource) => {
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    await executor.undoLastMigration();
  });
}

/** Without the planner's settings for requests: migrations read whole tables. */
async function onMigrationConnection<T>(
  url: string,
  migrations: readonly MigrationClass[],
  report: ProgressReport = () => undefined,
  work: (runner: QueryRunner, dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const { connectionString, servers } = connectionTarget(url);
  const dataSource = new DataSource({
    type: 'postgres',
    url: connectionString,
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    poolSize: 1,
    applicationName: 'checkout-saga migration',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    logger: new ReportingLogger(report),
    extra: { ...(servers.length > 0 && writablePool()), servers },
  });
  await dataSource.initialize();
  const runner = dataSource.createQueryRunner();
  try {
    return await work(runner, dataSource);
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

/** In the order of their times. */
async function pendingOf({ executor, isContracting }: Run): Promise<Migration[]> {
  const pending = await executor.getPendingMigrations();
  return pending.filter(({ instance }) => isContracting || !isContraction(instance));
}

function isContraction(instance?: InstanceType<MigrationClass>): boolean {
  return instance?.isContraction === true;
}

/** The lock is held only while there is work, so that others can try between two attempts. */
async function applyAll(run: Run): Promise<number> {
  const { runner, report, signal } = run;
  let applied = 0;
  for (let attempt = 1; ; attempt += 1) {
    let pending: Migration[] = [];
    try {
      return await whileLocked(runner, report, signal, async () => {
        pending = await pendingOf(run);
        for (const migration of [...pending]) {
          signal?.throwIfAborted();
          await apply(run, migration);
          pending.shift();
          applied += 1;
        }
        return applied;
      });
    } catch (error) {
      if (isNotAllowed(error)) throw await explainRefusal(runner, error, pending.length);
      if (!isRetryable(error)) throw error;
      const waitMs = backoffMs(RETRY, attempt);
      report('warn', await describeWait(runner, pending[0]?.name ?? '', error, waitMs));
      await sleep(waitMs, signal);
      signal?.throwIfAborted();
    }
  }
}

/** A migration outside a transaction may run again after a crash: it must accept its own earlier effects. */
async function apply({ runner, executor, report }: Run, migration: Migration): Promise<void> {
  const startedAt = performance.now();
  const isAtomic = migration.instance?.transaction !== false;
  report('info', `applying migration ${migration.name}`);
  await runner.query(SESSION);
  if (isAtomic) await runner.startTransaction();
  try {
    await executor.executeMigration(migration);
    if (isAtomic) await runner.commitTransaction();
  } catch (error) {
    if (isAtomic) await runner.rollbackTransaction().catch(() => undefined); // the migration's own error is more useful
    throw error;
  }
  report('info', `applied migration ${migration.name} in ${Math.round(performance.now() - startedAt)} ms`);
}

async function describeWait(runner: QueryRunner, name: string, error: unknown, waitMs: number): Promise<string> {
  const [oldest] = await runner.manager.query<{ pid: number; application: string; seconds: number }[]>(`
    SELECT pid, application_name AS application, extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds
    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
    ORDER BY xact_start LIMIT 1`);
  const whose = oldest
    ? `; the oldest transaction is that of process ${oldest.pid} (${oldest.application}, ${oldest.seconds} s)`
    : '';
  return `migration ${name} waits for a lock (${messageOf(error)})${whose}: trying again in ${waitMs} ms`;
}
