import type { TestDatabase } from '../setup/test-database.js';
import type { ReceivedEvent } from './stream-client.js';

export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly payload: Record<string, unknown>;
  readonly createdAt: Date;
}

export function storedEvents(database: Pick<TestDatabase, 'query'>): Promise<StoredEvent[]> {
  return database.query<StoredEvent>(
    `SELECT id, type, subject, payload, created_at AS "createdAt" FROM outbox ORDER BY position`,
  );
}

/** Per subject: the ids on the stream, the first time each appears, against those in the outbox. */
export function subjectsOutOfOrder(received: readonly ReceivedEvent[], stored: readonly StoredEvent[]): string[] {
  const arrived = idsBySubject(received.map(({ event }) => event));
  return [...idsBySubject(stored)]
    .filter(([subject, ids]) => ids.join() !== (arrived.get(subject) ?? []).join())
    .map(([subject, ids]) => `${subject}: stored ${ids.join()}, arrived ${arrived.get(subject)?.join()}`);
}

export function expectSameOrder(received: readonly ReceivedEvent[], stored: readonly StoredEvent[]): void {
  expect(subjectsOutOfOrder(received, stored)).toEqual([]);
}

function idsBySubject(events: readonly { id: string; subject: string }[]): Map<string, string[]> {
  const ids = new Map<string, Set<string>>();
  for (const { id, subject } of events) ids.set(subject, (ids.get(subject) ?? new Set()).add(id));
  return new Map([...ids].map(([subject, set]) => [subject, [...set]]));
}
