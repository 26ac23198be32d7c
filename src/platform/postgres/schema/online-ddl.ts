import type { QueryRunner } from 'typeorm';

export interface IndexDefinition {
  readonly name: string;
  readonly isUnique?: boolean;
  /** The text after ON: table, columns, predicate. */
  readonly on: string;
}

/**
 * Creates an index on a table while others write to it. An interrupted attempt leaves an invalid index, which costs
 * writes and is never used, so it is dropped first.
 */
export async function createIndexOnline(runner: QueryRunner, { name, isUnique, on }: IndexDefinition): Promise<void> {
  const [found] = await runner.manager.query<{ isValid: boolean }[]>(
    'SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  );
  if (found?.isValid === true) return;
  if (found) await dropIndexOnline(runner, name);
  runner.dataSource.logger.log('info', `creating index ${name}`);
  await patiently(runner, `CREATE ${isUnique === true ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${on}`);
}

export async function dropIndexOnline(runner: QueryRunner, name: string): Promise<void> {
  await patiently(runner, `DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

/** For contractions: releases without the migration of this time must no longer use the schema. */
export async function demandMigration(runner: QueryRunner, timestamp: number): Promise<void> {
  await runner.query(`UPDATE schema_compatibility SET oldest_compatible = greatest(oldest_compatible, $1)`, [
    timestamp,
  ]);
}

/** CONCURRENTLY waits for older transactions while nothing waits behind it, so it needs no limit. */
async function patiently(runner: QueryRunner, sql: string): Promise<void> {
  if (runner.isTransactionActive) throw new Error('CONCURRENTLY needs a migration with transaction = false');
  const [before] = await runner.manager.query<{ lock_timeout: string }[]>('SHOW lock_timeout');
  await runner.query('SET lock_timeout = 0');
  try {
    await runner.query(sql);
  } finally {
    await runner.query(`SELECT set_config('lock_timeout', $1, false)`, [before?.lock_timeout ?? '0']);
  }
}
