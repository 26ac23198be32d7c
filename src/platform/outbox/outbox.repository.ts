import { Injectable } from '@nestjs/common';
import { newId } from '../../common/id.js';
import { overRows } from '../postgres/rows.js';
import { statement } from '../postgres/statement.js';
import type { Queryable, Tx } from '../postgres/tx.js';
import type { DomainEvent, DomainEventType, EventEnvelope } from './domain-event.js';

interface EventRow {
  readonly id: string;
  readonly position: number;
  readonly type: DomainEventType;
  readonly subject: string;
  readonly payload: Record<string, unknown>;
  readonly createdAt: Date;
}

/** What a batch took from the queue. */
export interface Dequeued {
  readonly isMore: boolean;
  readonly count: number;
  readonly events: readonly EventEnvelope[];
}

const COLUMNS = `id, position, type, subject, payload, created_at AS "createdAt"`;

/** A transaction's events are queued as one row, however many they are. */
const APPEND = overRows<DomainEvent & { id: string }>(
  'outbox.append',
  { id: 'uuid', type: 'text', subject: 'text', payload: 'json' },
  (given) => `WITH event AS (
     INSERT INTO outbox (id, type, subject, payload) SELECT id, type, subject, payload FROM ${given} RETURNING position
   )
   INSERT INTO outbox_queue (positions) SELECT array_agg(position) FROM event`,
);

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
    tx.gather(
      APPEND,
      events.map((event) => ({ id: newId(), ...event })),
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
    return { isMore: row?.transactions === limit, count: row?.events ?? 0, events: [] };
  }

  /** Takes the next transactions from the queue, with their events in order. */
  async take(tx: Tx, limit: number): Promise<Dequeued> {
    const rows = await tx.query<EventRow & { transactions: number }>(TAKE, [limit]);
    return { isMore: rows[0]?.transactions === limit, count: rows.length, events: rows.map(toEnvelope) };
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
