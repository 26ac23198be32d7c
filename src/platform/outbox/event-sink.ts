import type { Tx } from '../postgres/tx.js';
import type { EventEnvelope } from './domain-event.js';

/** Takes over the events of one batch, in the transaction that takes them from the queue. */
export interface EventSubscription {
  accept(tx: Tx, events: readonly EventEnvelope[]): Promise<void>;
  /** The transaction has committed. A crash before this call must lose nothing. */
  committed(): void;
}

/** Where the relay delivers to. */
export interface EventSink {
  /** Asked for every batch: undefined while nobody listens, and then the events leave the queue unread. */
  subscribe(tx: Tx): Promise<EventSubscription | undefined>;
}
