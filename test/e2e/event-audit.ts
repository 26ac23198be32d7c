import { isDeepStrictEqual } from 'node:util';
import { Webhook } from 'standardwebhooks';
import type { ReceivedMessage } from '../integration/events/receiver.js';
import type { TestDatabase } from '../setup/test-database.js';
import { type StoredEvent, storedEvents } from '../stream/event-order.js';
import type { ToldStory } from './event-shoppers.js';

/** A message as the endpoint got it. One that it refused has to come again. */
export interface Arrival {
  readonly message: ReceivedMessage;
  readonly at: number;
  readonly isAccepted: boolean;
}

export interface Audit {
  readonly events: number;
  readonly arrivals: number;
  readonly refused: number;
  /** Arrivals of an event that had been accepted before. */
  readonly duplicates: number;
  /** From its commit to its first acceptance. */
  readonly slowestMs: number;
  readonly faults: readonly string[];
}

/** What is in the outbox against what the endpoint got and what the clients did. */
export async function audit(
  database: TestDatabase,
  arrivals: readonly Arrival[],
  secret: string,
  told: readonly ToldStory[],
): Promise<Audit> {
  const events = await storedEvents(database);
  const accepted = arrivals.filter(({ isAccepted }) => isAccepted);
  const firsts = new Map<string, Arrival>();
  for (const arrival of accepted) {
    const { id } = arrival.message.event;
    if (!firsts.has(id)) firsts.set(id, arrival);
  }
  const lost = events.filter(({ id }) => !firsts.has(id));
  const lags = events.map(({ id, createdAt }) => (firsts.get(id)?.at ?? Infinity) - createdAt.getTime());
  return {
    events: events.length,
    arrivals: arrivals.length,
    refused: arrivals.length - accepted.length,
    duplicates: accepted.length - firsts.size,
    slowestMs: Math.max(...lags),
    faults: [
      ...lost.map(({ id, type }) => `${type} ${id} was never accepted`),
      ...faultsOfMessages(events, arrivals, secret),
      ...faultsOfOrder('arrived', events, arrivals),
      ...faultsOfOrder('was accepted', events, accepted),
      ...told.flatMap((story) => faultsOfStory(story, events)),
    ],
  };
}

/** The id and the body of what was committed, byte for byte the same at every attempt, and signed. */
function faultsOfMessages(events: readonly StoredEvent[], arrivals: readonly Arrival[], secret: string): string[] {
  const stored = new Map(events.map((event) => [event.id, event]));
  const bodies = new Map<string, string>();
  return arrivals.flatMap(({ message: { raw, headers, event } }) => {
    const id = String(headers['webhook-id']);
    const source = stored.get(id);
    if (!source) return [`${id} arrived, and was never committed`];
    const { type, subject, payload, createdAt } = source;
    const expected = { id, type, subject, occurredAt: createdAt.toISOString(), data: payload };
    const isFirst = !bodies.has(id);
    if (isFirst) bodies.set(id, raw);
    return [
      ...(isDeepStrictEqual(event, expected) ? [] : [`${type} ${id} arrived as ${raw}`]),
      ...(bodies.get(id) === raw ? [] : [`${type} ${id} came again as ${raw}`]),
      ...(isSigned(secret, raw, headers) ? [] : [`${type} ${id} has a wrong signature`]),
    ];
  });
}

function isSigned(secret: string, raw: string, headers: ReceivedMessage['headers']): boolean {
  try {
    new Webhook(secret).verify(raw, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** Per subject, by the first time that each event came. */
function faultsOfOrder(what: string, events: readonly StoredEvent[], arrivals: readonly Arrival[]): string[] {
  const came = new Map<string, Set<string>>();
  for (const { message } of arrivals) {
    const { subject, id } = message.event;
    came.set(subject, (came.get(subject) ?? new Set()).add(id));
  }
  return [...came].flatMap(([subject, ids]) => {
    const expected = events.filter((event) => event.subject === subject && ids.has(event.id)).map(({ id }) => id);
    return isDeepStrictEqual([...ids], expected) ? [] : [`${subject} ${what} out of order: ${[...ids].join(' ')}`];
  });
}

/** That an outcome was told means that its events are committed: the outbox itself has lost none. */
function faultsOfStory({ name, orderId, events: expected }: ToldStory, events: readonly StoredEvent[]): string[] {
  const types = events.filter(({ subject }) => subject === orderId).map(({ type }) => type);
  return isDeepStrictEqual(types, [...expected]) ? [] : [`${name} ${orderId} has the events ${types.join(' ')}`];
}
