import { DynamicModule, Global, Module } from '@nestjs/common';
import { AuditTrailModule } from './platform/audit-trail/audit-trail.module.js';
import { APP_CONFIG, AppConfig } from './platform/config/app-config.js';
import { DatabaseModule } from './platform/postgres/database.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { IdempotencyModule } from './platform/idempotency/idempotency.module.js';
import { LoopsModule } from './platform/loops/loops.module.js';
import { MetricsModule } from './platform/metrics/metrics.module.js';
import { OutboxModule } from './platform/outbox/outbox.module.js';
import { RedisModule } from './platform/redis/redis.module.js';
import { StreamModule } from './platform/stream/stream.module.js';
import { TracingModule } from './platform/tracing/tracing.module.js';
import { CheckoutModule } from './checkout/checkout.module.js';
import { GatewayModule } from './payment/gateway/gateway.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { RehearsalModule } from './rehearsal/rehearsal.module.js';
import { EventDeliveryModule } from './event-delivery/event-delivery.module.js';
import { SalesModule } from './sales/sales.module.js';
import { PagesModule } from './pages/pages.module.js';
import { entities } from './entities.js';

@Global()
@Module({})
export class AppModule {
  static register(config: AppConfig, databaseUrl: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        LoopsModule,
        DatabaseModule.register({ ...config.database, url: databaseUrl }, entities),
        RedisModule.register(config.redis.url, config.redis.commandTimeoutMs),
        MetricsModule.register(config.http.isMetricsPublic),
        TracingModule.register(config),
        HttpModule,
        HealthModule,
        IdempotencyModule,
        OutboxModule,
        AuditTrailModule,
        StreamModule.register(config),
        GatewayModule.register(config, databaseUrl),
        SalesModule,
        CheckoutModule,
        OperationsModule,
        RehearsalModule.register(config),
        PagesModule.register(config),
        EventDeliveryModule.register(databaseUrl),
      ],
      providers: [{ provide: APP_CONFIG, useValue: config }],
      exports: [APP_CONFIG],
    };
  }
}
