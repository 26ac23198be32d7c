import { Injectable } from '@nestjs/common';
import { newId } from '../../common/id.js';
import { type ColumnTypes, overRows } from '../postgres/rows.js';
import { statement } from '../postgres/statement.js';
import type { Queryable, Tx } from '../postgres/tx.js';
import type { DomainEvent, DomainEventType, EventEnvelope } from './domain-event.js';
import type { EventTraces } from './event-sink.js';

interface EventRow {
  readonly id: string;
  readonly position: number;
  readonly type: DomainEventType;
  readonly subject: string;
  readonly payload: Record<string, unknown>;
  readonly createdAt: Date;
  readonly trace: string | null;
}

/** What a batch took from the queue. */
export interface Dequeued {
  readonly isMore: boolean;
  readonly count: number;
  readonly events: readonly EventEnvelope[];
  readonly traces: EventTraces;
}

const COLUMNS = `id, position, type, subject, payload, created_at AS "createdAt", trace`;

interface NewEvent extends DomainEvent {
  readonly id: string;
  readonly trace?: string | undefined;
}

/** A transaction's events are queued as one row, however many they are. */
function appending(name: string, columns: ColumnTypes<NewEvent>) {
  const names = Object.keys(columns).join(', ');
  return overRows<NewEvent>(
    name,
    columns,
    (given) => `WITH event AS (INSERT INTO outbox (${names}) SELECT ${names} FROM ${given} RETURNING position)
      INSERT INTO outbox_queue (positions) SELECT array_agg(position) FROM event`,
  );
}

const EVENT = { id: 'uuid', type: 'text', subject: 'text', payload: 'json' } as const;
const APPEND = appending('outbox.append', EVENT);
/** Apart, so that nothing more is sent while nothing is traced. */
const APPEND_TRACED = appending('outbox.append-traced', { ...EVENT, trace: 'text' });

const HAS_UNPUBLISHED = statement('outbox.has-unpublished', `SELECT EXISTS (SELECT 1 FROM outbox_queue) AS found`);

/** Any number: it only has to be the same in every instance. */
const RELAY_LOCK = 7_261_003;
const LOCK = statement('outbox.lock', `SELECT pg_try_advisory_xact_lock($1) AS locked`);

/**
 * A queue rather than a cursor: positions are drawn before the commit, so an event of a slow transaction may appear
 * behind a cursor that has passed it. Rows are found by ctid, which cannot change under us: only the relay, which holds
 * its lock, touches them.
 */
const DEQUEUE = `DELETE FROM outbox_queue
   WHERE ctid = ANY (ARRAY (SELECT ctid FROM outbox_queue ORDER BY id LIMIT $1)) RETURNING positions`;
const DROP = statement(
  'outbox.drop',
  `WITH gone AS (${DEQUEUE}) SELECT count(*) AS transactions, coalesce(sum(cardinality(positions)), 0)::int8 AS events FROM gone`,
);
const TAKE = statement(
  'outbox.take',
  `WITH gone AS (${DEQUEUE})
   SELECT ${COLUMNS}, (SELECT count(*) FROM gone) AS transactions
   FROM outbox WHERE position IN (SELECT unnest(positions) FROM gone) ORDER BY position`,
);

/**
 * A database crash may bring dequeued rows back, and they are dropped again. While nobody listens that is cheaper than
 * a flush.
 */
const RELAX = statement('outbox.relax', `SET LOCAL synchronous_commit = off`);

const OF_SUBJECTS = statement(
  'outbox.of-subjects',
  `SELECT ${COLUMNS} FROM outbox WHERE subject = ANY($1::text[]) AND id <> ALL($2::uuid[]) ORDER BY position`,
);

const PURGE = statement(
  'outbox.purge',
  `DELETE FROM outbox WHERE position IN (
     SELECT position FROM outbox WHERE created_at < now() - $1 * interval '1 second'
       AND position < coalesce((SELECT min(waiting) FROM outbox_queue, unnest(positions) AS waiting), 9223372036854775807)
     LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1 AS one`,
);

/** Events commit with the change that they describe, or not at all. */
@Injectable()
export class OutboxRepository {
  private readonly listeners: (() => void)[] = [];
  private readonly announce = (): void => {
    for (const listener of this.listeners) listener();
  };

  /** Called after every commit of this instance that stored events. */
  onStored(listener: () => void): void {
    this.listeners.push(listener);
  }

  append(tx: Tx, events: readonly DomainEvent[]): void {
    if (events.length === 0) return;
    tx.onCommit(this.announce);
    // One statement for all events of a transaction: it keeps their order.
    if (!tx.isTraced)
      tx.gather(
        APPEND,
        events.map(({ type, subject, payload }) => ({ id: newId(), type, subject, payload })),
      );
    else
      tx.gather(
        APPEND_TRACED,
        events.map((event) => ({ id: newId(), trace: tx.traceOf(event.subject), ...event })),
      );
  }

  async hasUnpublished(db: Queryable): Promise<boolean> {
    const [row] = await db.query<{ found: boolean }>(HAS_UNPUBLISHED, []);
    return row?.found ?? false;
  }

  /** Whether this transaction is now the only relay. */
  async tryLock(tx: Tx): Promise<boolean> {
    const [row] = await tx.query<{ locked: boolean }>(LOCK, [RELAY_LOCK]);
    return row?.locked ?? false;
  }

  /** Takes the next transactions from the queue, unread. */
  async drop(tx: Tx, limit: number): Promise<Dequeued> {
    tx.send(RELAX, []);
    const [row] = await tx.query<{ transactions: number; events: number }>(DROP, [limit]);
    return { isMore: row?.transactions === limit, count: row?.events ?? 0, events: [], traces: new Map() };
  }

  /** Takes the next transactions from the queue, with their events in order. */
  async take(tx: Tx, limit: number): Promise<Dequeued> {
    const rows = await tx.query<EventRow & { transactions: number }>(TAKE, [limit]);
    const traces = new Map(rows.flatMap(({ id, trace }) => (trace === null ? [] : [[id, trace] as const])));
    return { isMore: rows[0]?.transactions === limit, count: rows.length, events: rows.map(toEnvelope), traces };
  }

  /** The stored events of the subjects, in order, except those that are already known. */
  async ofSubjects(db: Queryable, subjects: readonly string[], known: readonly string[]): Promise<EventEnvelope[]> {
    return (await db.query<EventRow>(OF_SUBJECTS, [subjects, known])).map(toEnvelope);
  }

  async purge(db: Queryable, olderThanSeconds: number, limit: number): Promise<number> {
    return (await db.query(PURGE, [olderThanSeconds, limit])).length;
  }
}

function toEnvelope({ id, type, subject, payload, createdAt }: EventRow): EventEnvelope {
  return { id, type, subject, occurredAt: createdAt.toISOString(), data: payload };
}
