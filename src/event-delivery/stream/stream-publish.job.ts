import { Inject, Injectable, OnModuleInit, Optional } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { faultPoint } from '../../common/fault-point.js';
import type { Loop } from '../../platform/loops/loop.js';
import { Loops } from '../../platform/loops/loops.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { EventSink, EventSubscription } from '../../platform/outbox/event-sink.js';
import { OutboxRelayJob } from '../../platform/outbox/outbox-relay.job.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { STREAM_BROKER, type StreamBroker } from '../../platform/stream/stream-broker.js';
import { toCloudEvent } from './cloud-event.js';
import { StreamQueueRepository } from './stream-queue.repository.js';

const BATCH = 256;
/** What this instance relays nudges the loop; the longest rest finds what another one left behind. */
const PACE = { minMs: 20, maxMs: 2_000 };

/** Where a test may crash or pause the publisher. */
export const PUBLISH_FAULT_POINTS = ['before-call:stream-publish', 'after-call:stream-publish'];

/**
 * Puts every event on the stream, at least once and in order per subject. The relay only queues them, so that a broker that is
 * away holds up neither webhooks nor the outbox. Every instance runs the loop; one at a time publishes, by an advisory lock
 * that ends with its transaction. The transaction is open during the call, which is bounded: a lease would let the events of
 * an instance that died wait until its end. An instance that was paused loses lock and transaction to a timeout of the
 * database, and what it sends then the broker refuses (StreamBroker.publish).
 */
@Injectable()
export class StreamPublishJob implements EventSink, OnModuleInit {
  private readonly published: Counter;
  private readonly loop: Loop | undefined;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly queue: StreamQueueRepository,
    private readonly relay: OutboxRelayJob,
    loops: Loops,
    metrics: Metrics,
    @Optional() @Inject(STREAM_BROKER) private readonly broker?: StreamBroker,
  ) {
    this.published = metrics.counter('stream_published_total', 'Events that this instance put on the stream');
    const backlog = () => queue.backlog(transactions);
    metrics.gauge('stream_unpublished', 'Events that the stream does not have yet', [], async (gauge) => {
      gauge.set((await backlog()).events);
    });
    metrics.gauge('stream_lag_seconds', 'Age of the oldest event that the stream does not have', [], async (gauge) => {
      gauge.set((await backlog()).oldestSeconds);
    });
    if (broker)
      this.loop = loops.schedule({ name: 'stream-publish', pace: PACE, round: (signal) => this.run(broker, signal) });
  }

  onModuleInit(): void {
    if (this.broker) this.relay.addSink(this);
  }

  /** The stream takes every event, also while nobody reads it. */
  subscribe(): Promise<EventSubscription> {
    return Promise.resolve({
      accept: (tx, events, traces) => {
        const queued = events.map((event) => ({
          id: event.id,
          type: event.type,
          body: JSON.stringify(toCloudEvent(event, traces.get(event.id))),
        }));
        this.queue.append(tx, queued);
        return Promise.resolve();
      },
      committed: () => this.loop?.nudge(),
    });
  }

  private async run(broker: StreamBroker, signal: AbortSignal): Promise<boolean> {
    if (!(await this.queue.hasAny(this.transactions))) return false;
    let total = 0;
    for (let count = BATCH; count === BATCH && !signal.aborted; total += count) {
      count = await this.transactions.run((tx) => this.publish(tx, broker));
      this.published.inc(count);
    }
    return total > 0;
  }

  private async publish(tx: Tx, broker: StreamBroker): Promise<number> {
    if (!(await this.queue.tryLock(tx))) return 0;
    const events = await this.queue.first(tx, BATCH);
    if (events.length === 0) return 0;
    await faultPoint('before-call:stream-publish');
    const count = await broker.publish(events);
    await faultPoint('after-call:stream-publish');
    const last = events[count - 1];
    if (last) this.queue.removeUpTo(tx, last.position);
    return count;
  }
}
