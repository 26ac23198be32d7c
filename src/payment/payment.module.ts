import { DynamicModule, Module } from '@nestjs/common';
import type { AppConfig } from '../infrastructure/config/app-config.js';
import { LockModule } from '../lock/lock.module.js';
import { GatewayModule } from './gateway/gateway.module.js';
import { PaymentRepository } from './payment.repository.js';
import { RefundRepository } from './refund.repository.js';
import { RefundService } from './refund.service.js';
import { StrayChargeRepository } from './stray-charge.repository.js';
import { WebhookInboxRepository } from './webhooks/webhook-inbox.repository.js';
import { WebhookInboxService } from './webhooks/webhook-inbox.service.js';
import { WebhookMetrics } from './webhooks/webhook-metrics.js';
import { WebhookWorkerJob } from './webhooks/webhook-worker.job.js';
import { WebhookController } from './webhooks/webhook.controller.js';

@Module({})
export class PaymentModule {
  static register(config: AppConfig, databaseUrl: string): DynamicModule {
    return {
      module: PaymentModule,
      imports: [LockModule, GatewayModule.register(config, databaseUrl)],
      controllers: [WebhookController],
      providers: [
        PaymentRepository,
        RefundRepository,
        RefundService,
        StrayChargeRepository,
        WebhookInboxRepository,
        WebhookInboxService,
        WebhookMetrics,
        WebhookWorkerJob,
      ],
      exports: [
        GatewayModule,
        PaymentRepository,
        RefundRepository,
        RefundService,
        StrayChargeRepository,
        WebhookWorkerJob,
      ],
    };
  }
}
