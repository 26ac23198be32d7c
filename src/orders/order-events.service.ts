import { BeforeApplicationShutdown, Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { isTerminal } from '../common/state-machine.js';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import type { Loop } from '../platform/loops/loop.js';
import { Loops } from '../platform/loops/loops.js';
import { type StreamCaller, StreamLimiter } from '../platform/http/limits/stream-limiter.js';
import { OutboxRepository } from '../platform/outbox/outbox.repository.js';
import { Draining } from '../platform/shutdown/draining.js';
import { ORDER_TRANSITIONS } from './order-state.js';
import { OrderQueryService } from './order-query.service.js';
import { OrderStream, StreamOpening } from './order-stream.js';

const POLL_MS = 250;

/** Who wants to follow an order, and what it has seen already. */
export interface Follower extends StreamCaller {
  readonly lastEventId: string | undefined;
}

interface Watch {
  readonly streams: Set<OrderStream>;
  /** Events that were dispatched, and need not be read again. */
  readonly known: Set<string>;
}

/**
 * Event streams. Which instance commits an event, or relays it, does not matter: each looks for the events of the orders
 * that are followed here, in one query, and asks nothing while nobody follows.
 */
@Injectable()
export class OrderEventsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly watches = new Map<string, Watch>();
  private isStopping = false;
  private readonly polling: Loop;
  private readonly heartbeat: Loop;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly outbox: OutboxRepository,
    private readonly orders: OrderQueryService,
    private readonly limiter: StreamLimiter,
    private readonly draining: Draining,
    loops: Loops,
  ) {
    const { heartbeatMs } = config.eventStream;
    this.polling = loops.create({
      name: 'order-events',
      pace: { minMs: POLL_MS, maxMs: POLL_MS },
      round: () => this.poll(),
    });
    this.heartbeat = loops.create({
      name: 'order-event-heartbeat',
      pace: { firstMs: heartbeatMs, minMs: heartbeatMs, maxMs: heartbeatMs },
      round: () => this.beat(),
    });
  }

  onApplicationBootstrap(): void {
    this.polling.start();
    this.draining.isClosing.addEventListener('abort', () => this.endAll(), { once: true });
    this.heartbeat.start();
  }

  /** Clients come back to another instance, with the id of the last event they saw. */
  async beforeApplicationShutdown(): Promise<void> {
    this.endAll();
    await Promise.all([this.polling.stop(), this.heartbeat.stop()]);
  }

  private endAll(): void {
    this.isStopping = true;
    for (const stream of this.streams()) stream.end();
  }

  /** Undefined when the order has ended and the client knows it. */
  async follow(orderId: string, follower: Follower): Promise<Readable | undefined> {
    const { caller, lastEventId } = follower;
    await this.orders.find(orderId, caller);
    const stream = this.admit(orderId, follower);
    try {
      const opening = await this.lookUp(orderId, lastEventId);
      if (hasSeenTheEnd(opening)) {
        stream.discard();
        return undefined;
      }
      stream.open(opening);
      return stream.body;
    } catch (error) {
      stream.discard();
      throw error;
    }
  }

  /** The stream is registered before its order is looked at, so that no event can fall between the two. */
  private admit(orderId: string, follower: Follower): OrderStream {
    if (this.isStopping) throw this.limiter.unavailable();
    const giveBack = this.limiter.admit(orderId, follower);
    const stream: OrderStream = new OrderStream(orderId, () => {
      giveBack();
      this.remove(stream);
    });
    const watch = this.watches.get(orderId) ?? { streams: new Set(), known: new Set() };
    watch.streams.add(stream);
    this.watches.set(orderId, watch);
    return stream;
  }

  private remove(stream: OrderStream): void {
    const watch = this.watches.get(stream.orderId);
    if (!watch?.streams.delete(stream)) return;
    if (watch.streams.size === 0) this.watches.delete(stream.orderId);
  }

  /** Events first: one that happens in between is then sent twice, in the state and by itself, rather than never. */
  private async lookUp(orderId: string, lastEventId: string | undefined): Promise<StreamOpening> {
    const events = await this.outbox.ofSubjects(this.transactions, [orderId], []);
    const [order] = await this.orders.current([orderId]);
    if (!order) throw this.limiter.unavailable();
    if (!isTerminal(ORDER_TRANSITIONS, order.state)) return { order, events, lastEventId };
    return { order, events: await this.outbox.ofSubjects(this.transactions, [orderId], []), lastEventId };
  }

  private async poll(): Promise<boolean> {
    if (this.watches.size === 0) return false;
    const known = [...this.watches.values()].flatMap((watch) => [...watch.known]);
    const events = await this.outbox.ofSubjects(this.transactions, [...this.watches.keys()], known);
    for (const event of events) {
      const watch = this.watches.get(event.subject);
      watch?.known.add(event.id);
      for (const stream of watch?.streams ?? []) stream.deliver(event);
    }
    await this.sendStates();
    return events.length > 0;
  }

  private async sendStates(): Promise<void> {
    const watched = this.streams().filter((stream) => stream.isWatched);
    if (watched.length === 0) return;
    const orders = await this.orders.current([...new Set(watched.map((stream) => stream.orderId))]);
    const byId = new Map(orders.map((order) => [order.id, order]));
    for (const stream of watched) {
      const order = byId.get(stream.orderId);
      // A state that came with an event is sent as that event: this message might overtake it.
      if (order?.state === 'PENDING') stream.sendState(order);
    }
  }

  private beat(): void {
    for (const stream of this.streams()) {
      stream.beat();
      if (stream.idleMs > this.config.eventStream.idleMs) stream.end();
    }
  }

  private streams(): OrderStream[] {
    return [...this.watches.values()].flatMap((watch) => [...watch.streams]);
  }
}

function hasSeenTheEnd({ order, events, lastEventId }: StreamOpening): boolean {
  return lastEventId !== undefined && isTerminal(ORDER_TRANSITIONS, order.state) && events.at(-1)?.id === lastEventId;
}
