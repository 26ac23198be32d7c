import { Injectable } from '@nestjs/common';
import { overRows } from '../../platform/postgres/rows.js';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../platform/postgres/tx.js';

export interface QueuedEvent {
  /** The place in the queue. */
  readonly position: number;
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

export interface QueueBacklog {
  readonly events: number;
  readonly oldestSeconds: number;
}

const APPEND = overRows<Omit<QueuedEvent, 'position'>>(
  'stream-queue.append',
  { id: 'uuid', type: 'text', body: 'text' },
  (given) => `INSERT INTO stream_queue (event_id, type, body) SELECT id, type, body FROM ${given}`,
);

const HAS_ANY = statement('stream-queue.has-any', `SELECT EXISTS (SELECT FROM stream_queue) AS found`);

/** Any number: it only has to be the same in every instance. */
const PUBLISHER_LOCK = 7_261_004;
const LOCK = statement('stream-queue.lock', `SELECT pg_try_advisory_xact_lock($1) AS locked`);
const FIRST = statement(
  'stream-queue.first',
  `SELECT id AS position, event_id AS id, type, body FROM stream_queue ORDER BY stream_queue.id LIMIT $1`,
);
const REMOVE = statement('stream-queue.remove', `DELETE FROM stream_queue WHERE id <= $1`);

const BACKLOG = statement(
  'stream-queue.backlog',
  `SELECT (SELECT count(*) FROM stream_queue) AS events,
     coalesce(extract(epoch FROM now() - (SELECT created_at FROM stream_queue ORDER BY id LIMIT 1)), 0)::float8 AS "oldestSeconds"`,
);

/** Events that the stream does not have yet. */
@Injectable()
export class StreamQueueRepository {
  append(tx: Tx, events: readonly Omit<QueuedEvent, 'position'>[]): void {
    tx.gather(APPEND, events);
  }

  async hasAny(db: Queryable): Promise<boolean> {
    const [row] = await db.query<{ found: boolean }>(HAS_ANY, []);
    return row?.found ?? false;
  }

  /** Whether this transaction is now the only publisher. */
  async tryLock(tx: Tx): Promise<boolean> {
    const [row] = await tx.query<{ locked: boolean }>(LOCK, [PUBLISHER_LOCK]);
    return row?.locked ?? false;
  }

  first(tx: Tx, limit: number): Promise<QueuedEvent[]> {
    return tx.query<QueuedEvent>(FIRST, [limit]);
  }

  /** Positions are drawn and committed in one order, by the one relay at work: nothing can appear before this one. */
  removeUpTo(tx: Tx, position: number): void {
    tx.send(REMOVE, [position]);
  }

  async backlog(db: Queryable): Promise<QueueBacklog> {
    const [row] = await db.query<QueueBacklog & Record<string, number>>(BACKLOG, []);
    return row ?? { events: 0, oldestSeconds: 0 };
  }
}
