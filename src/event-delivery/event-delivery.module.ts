import { DynamicModule, Module } from '@nestjs/common';
import { APP_CONFIG, AppConfig } from '../platform/config/app-config.js';
import { WebhookEndpointController } from './webhook-endpoint.controller.js';
import { WebhookDeliverer } from './webhook-deliverer.service.js';
import { WebhookDeliveryRepository } from './webhook-delivery.repository.js';
import { WebhookDeliveryService } from './webhook-delivery.service.js';
import { WebhookDispatchJob } from './webhook-dispatch.job.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';
import { WebhookEndpointService } from './webhook-endpoint.service.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { WebhookPurgeJob } from './webhook-purge.job.js';
import { WEBHOOK_DATABASE_URL, WebhookQueue } from './webhook-queue.service.js';
import { StreamPublishJob } from './stream/stream-publish.job.js';
import { StreamQueueRepository } from './stream/stream-queue.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** Events that go out: as webhooks, by the Standard Webhooks specification, and to a stream as CloudEvents. */
@Module({})
export class EventDeliveryModule {
  static register(databaseUrl: string): DynamicModule {
    return {
      module: EventDeliveryModule,
      global: true,
      controllers: [WebhookEndpointController],
      providers: [
        { provide: WEBHOOK_DATABASE_URL, useValue: databaseUrl },
        { provide: WebhookSecrets, inject: [APP_CONFIG], useFactory: secretsOf },
        WebhookEndpointRepository,
        WebhookDeliveryRepository,
        WebhookEndpointService,
        WebhookDeliveryService,
        WebhookDeliverer,
        WebhookQueue,
        WebhookDispatchJob,
        WebhookPurgeJob,
        DeliveryMetrics,
        StreamQueueRepository,
        StreamPublishJob,
      ],
      exports: [WebhookDeliveryRepository, WebhookDeliveryService],
    };
  }
}

function secretsOf(config: AppConfig): WebhookSecrets {
  if (!config.auth.accessTokenSecret) throw new Error('ACCESS_TOKEN_SECRET is not resolved');
  return new WebhookSecrets(config.auth.accessTokenSecret);
}
