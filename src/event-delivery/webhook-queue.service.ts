import { Inject, Injectable, Logger } from '@nestjs/common';
import { backoffMs } from '../common/backoff.js';
import { messageOf } from '../common/error-message.js';
import { faultPoint } from '../common/fault-point.js';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { isNotPermitted } from '../platform/redis/redis-errors.js';
import type { DeliveryQueue } from './delivery-queue.js';
import { WebhookDeliverer } from './webhook-deliverer.service.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

export const WEBHOOK_DATABASE_URL = Symbol('WEBHOOK_DATABASE_URL');

/** Opening takes several connections, and a store that refuses now will most likely refuse a second later. */
const REOPENING = { baseMs: 1_000, capMs: 30_000 };

/** The queue and its workers, opened when the first endpoint exists. */
@Injectable()
export class WebhookQueue {
  private readonly logger = new Logger(WebhookQueue.name);
  private opened: Promise<DeliveryQueue> | undefined;
  /** Set while the queue could not be opened: no new attempt before `until`. */
  private refusal: { readonly error: unknown; readonly attempts: number; readonly until: number } | undefined;
  private reported: string | undefined;
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
    if (this.refusal && performance.now() < this.refusal.until) throw this.refusal.error;
    this.opened ??= this.start();
    return this.opened;
  }

  async add(deliveryIds: readonly string[]): Promise<void> {
    if (deliveryIds.length === 0) return;
    const queue = await this.open();
    await faultPoint('before-call:webhook-queue');
    await queue.add(deliveryIds);
    await faultPoint('after-call:webhook-queue');
  }

  /** Runs a job now, even if it waits for a later time. */
  async hurry(deliveryId: string): Promise<void> {
    await (await this.open()).hurry(deliveryId);
  }

  /** Does not wait: the sweep finds what could not be queued, and reports the failure. */
  enqueue(deliveryIds: readonly string[]): void {
    this.add(deliveryIds).catch((error: unknown) => {
      if (!this.isClosed) this.logger.debug(`webhook deliveries wait for the next sweep: ${messageOf(error)}`);
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.deliverer.stop();
    const queue = await this.opened?.catch(() => undefined);
    await queue?.close();
  }

  private async start(): Promise<DeliveryQueue> {
    try {
      const queue = await this.load();
      this.refusal = undefined;
      return queue;
    } catch (error) {
      const attempts = (this.refusal?.attempts ?? 0) + 1;
      this.refusal = { error, attempts, until: performance.now() + backoffMs(REOPENING, attempts) };
      this.opened = undefined;
      throw error;
    }
  }

  /** Loaded with the first endpoint: BullMQ is large, and most of the start time is loading. */
  private async load(): Promise<DeliveryQueue> {
    const { openDeliveryQueue } = await import('./delivery-queue.js');
    return openDeliveryQueue(
      {
        redisUrl: this.config.redis.url,
        redisTimeoutMs: this.config.redis.commandTimeoutMs,
        databaseUrl: this.databaseUrl,
        namespace: await this.endpoints.namespace(this.transactions),
        onError: (error) => this.report(error),
      },
      (deliveryId) => this.process(deliveryId),
    );
  }

  /** Outages end by themselves, and the sweep reports them. A missing permission needs a person who reads this line. */
  private report(error: unknown): void {
    const message = `webhook queue: ${messageOf(error)}`;
    if (!isNotPermitted(error) || message === this.reported) return this.logger.debug(message);
    this.reported = message;
    this.logger.warn(message);
  }

  private async process(deliveryId: string): Promise<void> {
    const next = await this.deliverer.attempt(deliveryId);
    if (next !== undefined && !this.isClosed) this.enqueue([next]);
  }
}
