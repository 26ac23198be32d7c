import { DynamicModule, Inject, Module, OnApplicationShutdown, OnModuleInit, Optional } from '@nestjs/common';
import type { AppConfig } from '../config/app-config.js';
import { HealthService } from '../health/health.service.js';
import { STREAM_BROKER, type StreamBroker } from './stream-broker.js';

/** Provides the broker when STREAM_URL is set, and nothing otherwise: consumers inject it as optional. */
@Module({})
export class StreamModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly health: HealthService,
    @Optional() @Inject(STREAM_BROKER) private readonly broker?: StreamBroker,
  ) {}

  static register(config: AppConfig): DynamicModule {
    const shared =
      config.stream.urls.length > 0 ? [{ provide: STREAM_BROKER, useFactory: () => openNats(config) }] : [];
    return { module: StreamModule, global: true, providers: shared, exports: shared };
  }

  /** Without the stream the shop sells on: events wait in the database, commands at the broker. */
  onModuleInit(): void {
    const { broker } = this;
    if (!broker) return;
    this.health.addCheck('stream', async () => {
      const detail = await broker.problem();
      return detail === undefined ? { state: 'up' } : { state: 'degraded', detail };
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.broker?.close();
  }
}

/** Loaded only where it is configured. */
async function openNats({ stream, instanceId, http }: AppConfig): Promise<StreamBroker> {
  const { NatsBroker } = await import('./nats/nats-broker.js');
  return new NatsBroker({
    urls: stream.urls,
    clientName: `checkout-saga ${instanceId}`,
    ackWaitMs: stream.ackWaitMs,
    maxMessageBytes: http.bodyLimitBytes,
  });
}
