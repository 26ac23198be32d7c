import { DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource, DataSourceOptions } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { dataSourceOptions, DatabaseSettings } from './data-source.js';
import { DatabaseAvailability } from './database-availability.js';
import { DatabaseClock } from './database-clock.js';
import { DatabaseProbe } from './database-probe.job.js';
import { Entities } from './entities.js';
import { SchemaCheck } from './schema-check.js';
import { TransactionRunner } from './transaction-runner.js';

/** The first major version of PostgreSQL that has `transaction_timeout`. */
const HAS_TRANSACTION_TIMEOUT = 17;

/** TypeORM opens the pool, and SQL over lists uses the same connections. */
export function poolOf(dataSource: DataSource): Pool {
  return driverOf(dataSource).master as Pool;
}

function hasTransactionTimeout(dataSource: DataSource): boolean {
  return Number.parseInt(driverOf(dataSource).version ?? '0', 10) >= HAS_TRANSACTION_TIMEOUT;
}

/** `type: 'postgres'` makes a PostgresDriver. Its pool and its server's version are public members. */
function driverOf({ driver }: DataSource): PostgresDriver {
  return driver as PostgresDriver;
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
              sendEarlyMs: hasTransactionTimeout(source) ? settings.statementTimeoutMs : undefined,
              availability,
            }),
        },
        Entities,
        DatabaseAvailability,
        DatabaseProbe,
        SchemaCheck,
        DatabaseClock,
      ],
      exports: [TransactionRunner, Entities, DatabaseAvailability, DatabaseProbe, SchemaCheck, DatabaseClock],
    };
  }
}
