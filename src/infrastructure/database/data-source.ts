import path from 'node:path';
import type { DataSourceOptions } from 'typeorm';

export interface DatabaseSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
}

/** Compiled: dist/src/infrastructure/database → dist/migrations. From source: the same, without dist. */
const MIGRATIONS = path.resolve(import.meta.dirname, '../../../migrations/*.{js,ts}');

export function dataSourceOptions(settings: DatabaseSettings, entities: NonNullable<DataSourceOptions['entities']>) {
  return {
    type: 'postgres',
    url: settings.url,
    entities,
    migrations: [MIGRATIONS],
    migrationsTableName: 'migrations',
    poolSize: settings.poolSize,
    applicationName: 'checkout-saga',
    connectTimeoutMS: 5_000,
    extra: {
      pipeline: true,
      statement_timeout: settings.statementTimeoutMs,
      idle_in_transaction_session_timeout: settings.statementTimeoutMs * 3,
    },
  } as const satisfies DataSourceOptions;
}
