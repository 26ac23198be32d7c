import { Inject, Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { messageOf } from '../common/error-message.js';
import { faultPoint } from '../common/fault-point.js';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { parseTraceparent, toTraceparent, type TraceContext } from '../platform/tracing/trace-context.js';
import { Tracing } from '../platform/tracing/tracing.js';
import { AddressPolicy } from './address-policy.js';
import { AttemptDeadlines } from './attempt-deadlines.js';
import { PostponedError } from './delivery-processor.js';
import { EndpointSlots } from './endpoint-slots.js';
import { postponedMs, retryDelayMs } from './retry-schedule.js';
import { AttemptResult, DueDelivery, WebhookDeliveryRepository } from './webhook-delivery.repository.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';

/** Attempts that a shutdown cuts off are left to other instances. */
const HANDOVER_MS = 500;
/** Clocks differ a little; such a wait is not worth another round. */
const EARLY_MS = 100;
const GONE = 410;
const MAX_ERROR_LENGTH = 500;

interface Attempt extends AttemptResult {
  readonly retryAfter?: string | undefined;
}

/** Makes one attempt to deliver, and records its result. */
@Injectable()
export class WebhookDeliverer implements OnApplicationShutdown {
  private readonly logger = new Logger(WebhookDeliverer.name);
  private readonly sender: WebhookSender;
  private readonly slots = new EndpointSlots();
  private readonly deadlines = new AttemptDeadlines();

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly secrets: WebhookSecrets,
    private readonly metrics: DeliveryMetrics,
    private readonly tracing: Tracing,
  ) {
    this.sender = new WebhookSender(new AddressPolicy(config.webhooks.allowedHosts));
  }

  /** Attempts under way are abandoned and not counted. Another instance makes them again. */
  stop(): void {
    this.deadlines.stop();
  }

  onApplicationShutdown(): void {
    this.sender.close();
  }

  /** Returns the delivery that may go next. Throws PostponedError if this one has to be tried again. */
  async attempt(id: string): Promise<string | undefined> {
    const delivery = await this.deliveries.findDue(this.transactions, id);
    if (!delivery) return undefined;
    // A job may be early: its worker died between recording a failed attempt and delaying the job.
    if (delivery.waitMs > EARLY_MS) throw new PostponedError(delivery.waitMs);
    if (this.deadlines.isStopped) throw new PostponedError(jittered(HANDOVER_MS));
    const busyMs = this.slots.take(delivery.endpointId);
    if (busyMs > 0) throw new PostponedError(busyMs);
    const startedAt = performance.now();
    try {
      return await this.deliver(delivery);
    } finally {
      this.slots.release(delivery.endpointId, performance.now() - startedAt);
    }
  }

  private async deliver(delivery: DueDelivery): Promise<string | undefined> {
    const startedAt = performance.now();
    await faultPoint('before-call:webhook-delivery');
    const attempt = await this.tracedPost(delivery, startedAt);
    await faultPoint('after-call:webhook-delivery');
    const ms = performance.now() - startedAt;
    if (attempt.error === null) {
      this.metrics.attempted('delivered', ms);
      return this.end(delivery, 'DELIVERED', attempt);
    }
    if (this.deadlines.isStopped) throw new PostponedError(jittered(HANDOVER_MS));
    const made = delivery.attempts + 1;
    if (attempt.status === GONE || made >= this.config.webhooks.maxAttempts) {
      this.metrics.attempted('dead', ms);
      return this.bury(delivery, attempt, made);
    }
    this.metrics.attempted('retried', ms);
    const delayMs = postponedMs(retryDelayMs(this.config.webhooks.retryBaseMs, made), attempt.retryAfter);
    await this.deliveries.postpone(this.transactions, delivery.id, attempt, delayMs);
    throw new PostponedError(delayMs);
  }

  /** In the trace of what the event tells about, which the receiver can continue. */
  private async tracedPost(delivery: DueDelivery, startedAt: number): Promise<Attempt> {
    const cause = parseTraceparent(delivery.trace);
    const span = this.tracing.begin(cause);
    const attempt = await this.post(delivery, span ?? cause);
    const { clock } = this.tracing;
    const { endpointId, eventId, type, attempts } = delivery;
    this.tracing.record(span, {
      name: `webhook ${type}`,
      kind: 'client',
      from: clock.at(startedAt),
      to: clock.now(),
      attributes: {
        'webhook.endpoint_id': endpointId,
        'webhook.event_id': eventId,
        'webhook.attempt': attempts + 1,
        'http.response.status_code': attempt.status ?? undefined,
      },
      ...(attempt.error !== null && { error: attempt.error }),
    });
    return attempt;
  }

  private async post(delivery: DueDelivery, trace: TraceContext | undefined): Promise<Attempt> {
    try {
      const headers = { ...this.headersOf(delivery, new Date()), ...(trace && { traceparent: toTraceparent(trace) }) };
      const message = { url: delivery.url, headers, body: delivery.body };
      const { status, retryAfter } = await this.deadlines.within(this.config.webhooks.timeoutMs, (signal) =>
        this.sender.send(message, signal),
      );
      const isAccepted = status >= 200 && status < 300;
      return { status, error: isAccepted ? null : reasonOf(status), retryAfter };
    } catch (error) {
      return { status: null, error: messageOf(error).slice(0, MAX_ERROR_LENGTH) };
    }
  }

  /** Standard Webhooks. During a rotation both secrets sign, so that either verifies. */
  private headersOf(delivery: DueDelivery, at: Date): Record<string, string> {
    const { endpointId, eventId, body, secret, previousSecrets } = delivery;
    const signatures = [secret, ...previousSecrets].map((sealed) =>
      new Webhook(this.secrets.unseal(sealed, endpointId)).sign(eventId, at, body),
    );
    return {
      'content-type': 'application/json',
      'user-agent': 'checkout-saga',
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': signatures.join(' '),
    };
  }

  private async end({ id }: DueDelivery, state: 'DELIVERED' | 'DEAD', attempt: Attempt): Promise<string | undefined> {
    const next = await this.transactions.run(async (tx) => {
      const released = await this.deliveries.end(tx, id, state, attempt);
      await faultPoint('before-commit:webhook-delivery');
      return released;
    });
    await faultPoint('after-commit:webhook-delivery');
    return next;
  }

  private async bury(delivery: DueDelivery, attempt: Attempt, attempts: number): Promise<string | undefined> {
    const { id, endpointId, eventId } = delivery;
    this.logger.error({
      deliveryId: id,
      endpointId,
      eventId,
      attempts,
      reason: attempt.error,
      msg: 'a webhook delivery is DEAD and waits for a replay',
    });
    if (attempt.status === GONE) {
      await this.endpoints.disable(this.transactions, endpointId, 'it answered 410 Gone');
      this.logger.warn(`webhook endpoint ${endpointId} answered 410 Gone and is disabled`);
    }
    return this.end(delivery, 'DEAD', attempt);
  }
}

function reasonOf(status: number): string {
  return status >= 300 && status < 400 ? `status ${status}: redirects are not followed` : `status ${status}`;
}

function jittered(ms: number): number {
  return Math.round(ms * (0.5 + Math.random()));
}
