import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../../../migrations/list.js';
import { readBigintsAsNumbers } from './pg-types.js';

readBigintsAsNumbers();

export interface DatabaseSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
}

export function dataSourceOptions(settings: DatabaseSettings, entities: NonNullable<DataSourceOptions['entities']>) {
  return {
    type: 'postgres',
    url: settings.url,
    entities,
    migrations,
    migrationsTableName: 'migrations',
    poolSize: settings.poolSize,
    applicationName: 'checkout-saga',
    connectTimeoutMS: 5_000,
    extra: {
      pipeline: true,
      statement_timeout: settings.statementTimeoutMs,
      // A process that was paused inside a transaction holds rows that others must be able to take over.
      idle_in_transaction_session_timeout: settings.statementTimeoutMs,
    },
  } as const satisfies DataSourceOptions;
}
