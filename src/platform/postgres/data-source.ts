import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../../../migrations/list.js';
import { boundedPool } from './bounded-client.js';
import { readBigintsAsNumbers } from './pg-types.js';
import { connectionTarget } from './servers.js';
import { applySettings, SessionSettings } from './session-settings.js';

readBigintsAsNumbers();

/**
 * Long, because a new connection has no prepared statements, and the first request after a quiet minute would pay for
 * that.
 */
const IDLE_TIMEOUT_MS = 300_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Every statement of a request finds a few rows by an index. By default the planner would plan most of these statements
 * again at each call, and it would scan a whole table that was small when it last looked. Work that does read whole
 * tables uses TransactionRunner.survey.
 */
export const POINT_LOOKUPS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
} as const satisfies SessionSettings;

export interface DatabaseSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
}

export function dataSourceOptions(settings: DatabaseSettings, entities: NonNullable<DataSourceOptions['entities']>) {
  const { connectionString, servers } = connectionTarget(settings.url);
  return {
    type: 'postgres',
    url: connectionString,
    entities,
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    poolSize: settings.poolSize,
    applicationName: 'checkout-saga',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: {
      ...boundedPool(settings.statementTimeoutMs),
      servers,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      onConnect: applySettings({
        ...POINT_LOOKUPS,
        statement_timeout: settings.statementTimeoutMs,
        // A process that is paused inside a transaction holds row locks that others need for a takeover.
        idle_in_transaction_session_timeout: settings.statementTimeoutMs,
      }),
    },
  } as const satisfies DataSourceOptions;
}
