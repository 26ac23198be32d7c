import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { newId } from '../common/id.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import type { Tx } from '../platform/postgres/tx.js';
import type { EventEnvelope } from '../platform/outbox/domain-event.js';
import type { EventSink, EventSubscription, EventTraces } from '../platform/outbox/event-sink.js';
import type { Loop } from '../platform/loops/loop.js';
import { Loops } from '../platform/loops/loops.js';
import { OutboxRelayJob } from '../platform/outbox/outbox-relay.job.js';
import { Chain, NewDelivery, OverdueDelivery, WebhookDeliveryRepository } from './webhook-delivery.repository.js';
import { Subscriber, WebhookEndpointRepository } from './webhook-endpoint.repository.js';
import { WebhookQueue } from './webhook-queue.service.js';

const PACE = { minMs: 250, maxMs: 5_000 };
/** How often overdue deliveries are looked for if there is an endpoint, and endpoints if there is none. */
const SWEEP_MS = 1_000;
const NO_ENDPOINT_MS = 5_000;
/** A delivery that has been due for longer has probably lost its job, or never had one. */
const GRACE_MS = 1_000;
const SWEEP_BATCH = 500;
/** How often the sweep starts again from the oldest overdue delivery. */
const FULL_SWEEP_MS = 10_000;

/**
 * Turns events into deliveries in the transaction that marks the events as published, and queues them after its commit.
 * A crash between the two loses nothing, because the sweep queues overdue deliveries again.
 */
@Injectable()
export class WebhookDispatchJob implements EventSink, OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private sweptTo: OverdueDelivery | undefined;
  private sweepBegunAt = performance.now();
  private readonly loop: Loop;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly relay: OutboxRelayJob,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly queue: WebhookQueue,
    loops: Loops,
  ) {
    this.loop = loops.create({
      name: 'webhook-sweep',
      pace: PACE,
      round: () => this.sweep(),
    });
  }

  onModuleInit(): void {
    this.relay.addSink(this);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.queue.close();
  }

  async subscribe(tx: Tx): Promise<EventSubscription | undefined> {
    const subscribers = await this.endpoints.subscribers(tx);
    if (subscribers.length === 0) return undefined;
    let heads: string[] = [];
    return {
      accept: async (innerTx, events, traces) => {
        heads = await this.append(innerTx, subscribers, events, traces);
      },
      committed: () => this.queue.enqueue(heads),
    };
  }

  /** Returns the deliveries that may go at once. */
  private async append(
    tx: Tx,
    subscribers: readonly Subscriber[],
    events: readonly EventEnvelope[],
    traces: EventTraces,
  ): Promise<string[]> {
    const wanted = events.flatMap((event) =>
      subscribers
        .filter(({ events: types }) => isWanted(types, event.type))
        .map(({ id }) => ({ event, endpointId: id })),
    );
    if (wanted.length === 0) return [];
    const chains = new Map(
      wanted.map(({ event, endpointId }) => [keyOf(endpointId, event.subject), { endpointId, subject: event.subject }]),
    );
    const held = await this.heldChains(tx, [...chains.values()]);
    const deliveries = wanted.map(({ event, endpointId }): NewDelivery => {
      const chain = keyOf(endpointId, event.subject);
      const isHead = !held.has(chain);
      held.add(chain);
      return {
        id: newId(),
        endpointId,
        eventId: event.id,
        type: event.type,
        subject: event.subject,
        body: JSON.stringify(event),
        trace: traces.get(event.id) ?? null,
        isHead,
      };
    });
    this.deliveries.insert(tx, deliveries);
    return deliveries.filter(({ isHead }) => isHead).map(({ id }) => id);
  }

  private async heldChains(tx: Tx, chains: readonly Chain[]): Promise<Set<string>> {
    const tails = await this.deliveries.lockTails(tx, chains);
    return new Set(tails.map(({ endpointId, subject }) => keyOf(endpointId, subject)));
  }

  /**
   * Walks through the overdue deliveries and then follows new ones. It does not always start at the oldest: deliveries
   * that wait for a slow endpoint have their jobs, stay overdue, and would hide all others. Without an endpoint no
   * queue is opened, so that installations without webhooks do not pay for them.
   */
  private async sweep(): Promise<boolean | number> {
    if (!(await this.endpoints.hasAny())) return NO_ENDPOINT_MS;
    await this.queue.open();
    const overdue = await this.deliveries.overdue(this.transactions, GRACE_MS, this.sweptTo, SWEEP_BATCH);
    await this.queue.add(overdue.map(({ id }) => id));
    this.sweptTo = overdue.at(-1) ?? this.sweptTo;
    const isAtEnd = overdue.length < SWEEP_BATCH;
    if (isAtEnd && performance.now() - this.sweepBegunAt > FULL_SWEEP_MS) {
      this.sweptTo = undefined;
      this.sweepBegunAt = performance.now();
    }
    return overdue.length > 0 || SWEEP_MS;
  }
}

function isWanted(types: readonly string[], type: string): boolean {
  return types.includes('*') || types.includes(type);
}

function keyOf(endpointId: string, subject: string): string {
  return `${endpointId} ${subject}`;
}
