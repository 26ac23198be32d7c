import { DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource, DataSourceOptions } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { dataSourceOptions, DatabaseSettings } from './data-source.js';
import { DatabaseAvailability } from './database-availability.js';
import { DatabaseClock } from './database-clock.js';
import { DatabaseProbe } from './database-probe.job.js';
import { SchemaCheck } from './schema-check.js';
import { TransactionRunner } from './transaction-runner.js';

/** One pool for both: TypeORM reads through entities, the hot path writes hand-written SQL over the same connections. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}

const HAS_TRANSACTION_TIMEOUT = 17;

function hasTransactionTimeout({ driver }: DataSource): boolean {
  const { version = '0' } = driver as PostgresDriver;
  return Number.parseInt(version, 10) >= HAS_TRANSACTION_TIMEOUT;
}

@Module({})
export class DatabaseModule {
  static register(settings: DatabaseSettings, entities: NonNullable<DataSourceOptions['entities']>): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [TypeOrmModule.forRoot({ ...dataSourceOptions(settings, entities), retryAttempts: 0 })],
      providers: [
        {
          provide: TransactionRunner,
          inject: [DataSource, DatabaseAvailability],
          useFactory: (source: DataSource, availability: DatabaseAvailability) =>
            new TransactionRunner(poolOf(source), {
              aheadMs: hasTransactionTimeout(source) ? settings.statementTimeoutMs : undefined,
              availability,
            }),
        },
        DatabaseAvailability,
        DatabaseProbe,
        SchemaCheck,
        DatabaseClock,
      ],
      exports: [TransactionRunner, DatabaseAvailability, DatabaseProbe, SchemaCheck, DatabaseClock],
    };
  }
}
