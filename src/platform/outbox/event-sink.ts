import type { Tx } from '../postgres/tx.js';
import type { EventEnvelope } from './domain-event.js';

/** The `traceparent` of events that belong to a trace, by the event's id. It is not part of the event that receivers see. */
export type EventTraces = ReadonlyMap<string, string>;

/** Receives the events of one batch, in the transaction that takes them from the queue. */
export interface EventSubscription {
  accept(tx: Tx, events: readonly EventEnvelope[], traces: EventTraces): Promise<void>;
  /** The transaction has committed. A crash before this call must lose nothing. */
  committed(): void;
}

/** A destination of the relay. */
export interface EventSink {
  /** Called for every batch. Undefined while nobody listens; the events then leave the queue unread. */
  subscribe(tx: Tx): Promise<EventSubscription | undefined>;
}
