import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { faultPoint } from '../../common/fault-point.js';
import { TransactionRunner } from '../postgres/transaction-runner.js';
import type { Tx } from '../postgres/tx.js';
import type { Loop } from '../loops/loop.js';
import { Loops } from '../loops/loops.js';
import { Metrics } from '../metrics/metrics.js';
import type { EventSink, EventSubscription } from './event-sink.js';
import { Dequeued, OutboxRepository } from './outbox.repository.js';

/** The number of transactions per batch, each with the events of a whole group commit. */
const BATCH = 20;
/**
 * A commit of this instance wakes the loop. The longest rest bounds the wait for events that another instance left
 * behind.
 */
const PACE = { minMs: 50, maxMs: 2_000 };

/** Where a test may crash or pause the relay. */
export const RELAY_FAULT_POINTS = ['before-commit:outbox-relay', 'after-commit:outbox-relay'];

interface Round {
  readonly dequeued: Dequeued;
  readonly subscriptions: readonly EventSubscription[];
}

const NOTHING: Dequeued = { isMore: false, count: 0, events: [], traces: new Map() };

/**
 * Passes committed events to the sinks, at least once and in order per subject. Every instance runs the relay, and an
 * advisory lock that ends with the transaction lets one at a time work. It polls, because a NOTIFY in each checkout
 * would take PostgreSQL's single lock on the notification queue at every commit and serialise all checkouts.
 */
@Injectable()
export class OutboxRelayJob {
  private readonly sinks: EventSink[] = [];
  private readonly published: Counter;
  private readonly loop: Loop;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly outbox: OutboxRepository,
    loops: Loops,
    metrics: Metrics,
  ) {
    this.loop = loops.schedule({
      name: 'outbox-relay',
      pace: PACE,
      round: () => this.run(),
    });
    outbox.onStored(() => this.loop.nudge());
    this.published = metrics.counter('outbox_published_total', 'Events that this instance handed to the sinks');
  }

  addSink(sink: EventSink): void {
    this.sinks.push(sink);
  }

  private async run(): Promise<boolean> {
    if (!(await this.outbox.hasUnpublished(this.transactions))) return false;
    let total = 0;
    for (let isMore = true; isMore && !this.loop.isStopped;) {
      const { dequeued, subscriptions } = await this.transactions.run((tx) => this.publish(tx));
      await faultPoint('after-commit:outbox-relay');
      for (const subscription of subscriptions) subscription.committed();
      this.published.inc(dequeued.count);
      total += dequeued.count;
      isMore = dequeued.isMore;
    }
    return total > 0;
  }

  private async publish(tx: Tx): Promise<Round> {
    if (!(await this.outbox.tryLock(tx))) return { dequeued: NOTHING, subscriptions: [] };
    const subscriptions: EventSubscription[] = [];
    for (const sink of this.sinks) {
      const subscription = await sink.subscribe(tx);
      if (subscription) subscriptions.push(subscription);
    }
    if (subscriptions.length === 0) return { dequeued: await this.outbox.drop(tx, BATCH), subscriptions };
    const dequeued = await this.outbox.take(tx, BATCH);
    for (const subscription of subscriptions) await subscription.accept(tx, dequeued.events, dequeued.traces);
    await faultPoint('before-commit:outbox-relay');
    return { dequeued, subscriptions };
  }
}
