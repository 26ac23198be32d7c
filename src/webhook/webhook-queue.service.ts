import { Inject, Injectable, Logger } from '@nestjs/common';
import { messageOf } from '../common/error-message.js';
import { faultPoint } from '../common/fault-point.js';
import { APP_CONFIG, type AppConfig } from '../infrastructure/config/app-config.js';
import { TransactionRunner } from '../infrastructure/database/transaction-runner.js';
import type { DeliveryQueue } from './delivery-queue.js';
import { WebhookDeliverer } from './webhook-deliverer.service.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

export const WEBHOOK_DATABASE_URL = Symbol('WEBHOOK_DATABASE_URL');

/** The queue and its workers, opened when the first endpoint exists. */
@Injectable()
export class WebhookQueue {
  private readonly logger = new Logger(WebhookQueue.name);
  private opened: Promise<DeliveryQueue> | undefined;
  private isClosed = false;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(WEBHOOK_DATABASE_URL) private readonly databaseUrl: string,
    private readonly transactions: TransactionRunner,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly deliverer: WebhookDeliverer,
  ) {}

  async open(): Promise<DeliveryQueue> {
    if (this.isClosed) throw new Error('the webhook queue is closed');
    this.opened ??= this.start().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  async add(deliveryIds: readonly string[]): Promise<void> {
    if (deliveryIds.length === 0) return;
    const queue = await this.open();
    await faultPoint('before-call:webhook-queue');
    await queue.add(deliveryIds);
    await faultPoint('after-call:webhook-queue');
  }

  /** Now, also if it waits for a later time. */
  async hurry(deliveryId: string): Promise<void> {
    await (await this.open()).hurry(deliveryId);
  }

  /** Without waiting: what cannot be queued now is found by the sweep. */
  enqueue(deliveryIds: readonly string[]): void {
    this.add(deliveryIds).catch((error: unknown) => {
      if (!this.isClosed) this.logger.warn(`webhook deliveries wait for the next sweep: ${messageOf(error)}`);
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.deliverer.stop();
    const queue = await this.opened?.catch(() => undefined);
    await queue?.close();
  }

  /** Loaded with the first endpoint: BullMQ is much, and most of a start is loading. */
  private async start(): Promise<DeliveryQueue> {
    const { openDeliveryQueue } = await import('./delivery-queue.js');
    return openDeliveryQueue(
      {
        redisUrl: this.config.redis.url,
        redisTimeoutMs: this.config.redis.commandTimeoutMs,
        databaseUrl: this.databaseUrl,
        namespace: await this.endpoints.namespace(this.transactions),
        onError: (error) => this.logger.debug(`webhook queue: ${messageOf(error)}`),
      },
      (deliveryId) => this.process(deliveryId),
    );
  }

  private async process(deliveryId: string): Promise<void> {
    const next = await this.deliverer.attempt(deliveryId);
    if (next !== undefined && !this.isClosed) this.enqueue([next]);
  }
}
