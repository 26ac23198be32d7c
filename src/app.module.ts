import { DynamicModule, Global, Module } from '@nestjs/common';
import { APP_CONFIG, AppConfig } from './infrastructure/config/app-config.js';
import { DatabaseModule } from './infrastructure/database/database.module.js';
import { HealthModule } from './infrastructure/health/health.module.js';
import { HttpModule } from './infrastructure/http/http.module.js';
import { IdempotencyModule } from './infrastructure/idempotency/idempotency.module.js';
import { LoopsModule } from './infrastructure/loops/loops.module.js';
import { MetricsModule } from './infrastructure/metrics/metrics.module.js';
import { OutboxModule } from './infrastructure/outbox/outbox.module.js';
import { RedisModule } from './infrastructure/redis/redis.module.js';
import { CheckoutModule } from './checkout/checkout.module.js';
import { WebhookModule } from './webhook/webhook.module.js';
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
        HttpModule,
        HealthModule,
        IdempotencyModule,
        OutboxModule,
        CheckoutModule.register(config, databaseUrl),
        WebhookModule.register(databaseUrl),
      ],
      providers: [{ provide: APP_CONFIG, useValue: config }],
      exports: [APP_CONFIG],
    };
  }
}
