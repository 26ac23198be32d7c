import { Injectable } from '@nestjs/common';
import { newId } from '../../common/id.js';
import { statement } from '../database/statement.js';
import type { Queryable, Tx } from '../database/tx.js';
import type { DomainEvent, DomainEventType, EventEnvelope } from './domain-event.js';

interface EventRow {
  readonly id: string;
  readonly position: number;
  readonly type: DomainEventType;
  readonly subject: string;
  readonly payload: Record<string, unknown>;
  readonly createdAt: Date;
}

const COLUMNS = `id, position, type, subject, payload, created_at AS "createdAt"`;

const APPEND = statement(
  'outbox.append',
  `INSERT INTO outbox (id, type, subject, payload)
   SELECT id, type, subject, payload FROM json_to_recordset($1::json) AS event (id uuid, type text, subject text, payload jsonb)`,
);

const HAS_UNPUBLISHED = statement(
  'outbox.has-unpublished',
  `SELECT EXISTS (SELECT 1 FROM outbox WHERE published_at IS NULL) AS found`,
);

/** Any number: it only has to be the same in every instance. */
const RELAY_LOCK = 7_261_003;
const LOCK = statement('outbox.lock', `SELECT pg_try_advisory_xact_lock($1) AS locked`);

/**
 * "Not published" rather than a cursor: positions are drawn before the commit, so an event of a slow transaction may
 * appear behind a cursor that has passed it. Rows are found by ctid, which cannot change under us: only the relay,
 * which holds its lock, touches unpublished rows.
 */
const MARK_NEXT = `UPDATE outbox SET published_at = clock_timestamp()
   WHERE ctid = ANY (ARRAY (SELECT ctid FROM outbox WHERE published_at IS NULL ORDER BY position LIMIT $1))`;
const MARK = statement('outbox.mark', `WITH marked AS (${MARK_NEXT} RETURNING 1) SELECT count(*) AS count FROM marked`);
const TAKE = statement('outbox.take', `${MARK_NEXT} RETURNING ${COLUMNS}`);

/** A mark that a database crash undoes is made again; while nobody listens it is not worth a flush. */
const RELAX = statement('outbox.relax', `SET LOCAL synchronous_commit = off`);

const OF_SUBJECTS = statement(
  'outbox.of-subjects',
  `SELECT ${COLUMNS} FROM outbox WHERE subject = ANY($1::text[]) AND id <> ALL($2::uuid[]) ORDER BY position`,
);

const PURGE = statement(
  'outbox.purge',
  `DELETE FROM outbox WHERE id IN (
     SELECT id FROM outbox WHERE created_at < now() - $1 * interval '1 second' AND published_at IS NOT NULL
     LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1 AS one`,
);

/** Events commit with the change they tell of, or not at all. */
@Injectable()
export class OutboxRepository {
  append(tx: Tx, events: readonly DomainEvent[]): void {
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

  /** Marks the next events as published, unread; answers how many. */
  async mark(tx: Tx, limit: number): Promise<number> {
    tx.send(RELAX, []);
    const [row] = await tx.query<{ count: number }>(MARK, [limit]);
    return row?.count ?? 0;
  }

  /** Marks the next events as published and answers them in order. */
  async take(tx: Tx, limit: number): Promise<EventEnvelope[]> {
    const rows = await tx.query<EventRow>(TAKE, [limit]);
    return rows.sort((a, b) => a.position - b.position).map(toEnvelope);
  }

  /** What is stored about the subjects, in order, except the events already known. */
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
