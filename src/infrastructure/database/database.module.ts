import { DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource, DataSourceOptions } from 'typeorm';
import { dataSourceOptions, DatabaseSettings } from './data-source.js';
import { DatabaseClock } from './database-clock.js';
import { TransactionRunner } from './transaction-runner.js';

/** One pool for both: TypeORM reads through entities, the hot path writes hand-written SQL over the same connections. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
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
          inject: [DataSource],
          useFactory: (source: DataSource) => new TransactionRunner(poolOf(source)),
        },
        DatabaseClock,
      ],
      exports: [TransactionRunner, DatabaseClock],
    };
  }
}
