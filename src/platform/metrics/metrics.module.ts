import { DynamicModule, Module, OnModuleInit } from '@nestjs/common';
import { collectDefaultMetrics } from 'prom-client';
import { TransactionRunner } from '../postgres/transaction-runner.js';
import { HttpMetrics } from './http-metrics.js';
import { MetricsController, OpenMetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';
import { watchDatabase } from './pool-metrics.js';

@Module({})
export class MetricsModule implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly transactions: TransactionRunner,
  ) {}

  static register(isPublic: boolean): DynamicModule {
    return {
      module: MetricsModule,
      global: true,
      controllers: [isPublic ? OpenMetricsController : MetricsController],
      providers: [Metrics, HttpMetrics],
      exports: [Metrics, HttpMetrics],
    };
  }

  onModuleInit(): void {
    // Event loop, heap, garbage collection: none of its observers keeps the process alive.
    collectDefaultMetrics({ register: this.metrics.registry });
    watchDatabase(this.metrics, this.transactions);
  }
}
