import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../platform/postgres/entity-columns.js';
import { FROM_NEWEST, Statement, statement } from '../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../platform/postgres/tx.js';
import type { CallbackEvent } from '../gateway/payment-gateway.js';
import { CallbackInboxEntity, INBOX_STATES, type InboxState } from './callback-inbox.entity.js';

const MEMBERS = [
  'id',
  'provider',
  'eventId',
  'type',
  'transactionId',
  'state',
  'attempts',
  'dueAt',
  'error',
  'receivedAt',
  'processedAt',
] as const satisfies readonly (keyof CallbackInboxEntity)[];
const COLUMNS = `${columnsOf(CallbackInboxEntity, MEMBERS)}, event ->> 'orderId' AS "orderId"`;

export interface InboxRow extends Readonly<Pick<CallbackInboxEntity, (typeof MEMBERS)[number]>> {
  readonly orderId: string | null;
}

export type ClaimedEvent = Readonly<Pick<CallbackInboxEntity, 'id' | 'provider' | 'attempts' | 'event' | 'trace'>>;

export interface InboxFilter {
  readonly state?: InboxState | undefined;
  readonly provider?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

const STORE = statement(
  'inbox.store',
  `INSERT INTO webhook_inbox (id, provider, event_id, type, transaction_id, event, state, trace, processed_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $7 = 'PROCESSED' THEN now() END)
   ON CONFLICT (provider, event_id) DO NOTHING RETURNING id`,
);

/** A claim is a lease: if its worker dies, the event becomes due again. */
const CLAIM = statement(
  'inbox.claim',
  `UPDATE webhook_inbox SET attempts = attempts + 1, due_at = now() + $2 * interval '1 millisecond'
   WHERE id IN (SELECT id FROM webhook_inbox WHERE state = 'RECEIVED' AND due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id, provider, attempts, event, trace`,
);

/** Guarded by the attempt too: a worker that was paused beyond its claim can write nothing. */
const FINISH = statement(
  'inbox.finish',
  `UPDATE webhook_inbox SET state = 'PROCESSED', processed_at = now(), error = NULL
   WHERE id = $1 AND state = 'RECEIVED' AND attempts = $2 RETURNING id`,
);

const POSTPONE = statement(
  'inbox.postpone',
  `UPDATE webhook_inbox SET state = $3, error = $4, due_at = now() + $5 * interval '1 millisecond'
   WHERE id = $1 AND state = 'RECEIVED' AND attempts = $2`,
);

const NEXT_DUE = statement(
  'inbox.next-due',
  `SELECT extract(epoch FROM min(due_at) - clock_timestamp())::float8 * 1000 AS ms FROM webhook_inbox WHERE state = 'RECEIVED'`,
);

const REPLAY = statement(
  'inbox.replay',
  `UPDATE webhook_inbox SET state = 'RECEIVED', attempts = 0, due_at = now(), error = NULL, processed_at = NULL WHERE id = $1 RETURNING ${COLUMNS}`,
);

/** Ids are time-ordered (UUIDv7): newest first is the primary key backwards. */
const PAGE = `($1::text IS NULL OR provider = $1) AND id < coalesce($2, ${FROM_NEWEST}) ORDER BY id DESC LIMIT $3`;
const LIST = statement('inbox.list', `SELECT ${COLUMNS} FROM webhook_inbox WHERE ${PAGE}`);
/**
 * SQL rather than TypeORM's repository, because the state has to be part of the text: only then does the planner use the
 * partial indexes of waiting and of dead events.
 */
const LIST_IN = Object.fromEntries(
  INBOX_STATES.map((state) => [
    state,
    statement(`inbox.list-${state}`, `SELECT ${COLUMNS} FROM webhook_inbox WHERE state = '${state}' AND ${PAGE}`),
  ]),
) as Record<InboxState, Statement>;

@Injectable()
export class CallbackInboxRepository {
  /** Whether the event is new. */
  async store(
    db: Queryable,
    id: string,
    provider: string,
    event: CallbackEvent,
    trace: string | null,
  ): Promise<boolean> {
    const state: InboxState = event.type === 'ignored' ? 'PROCESSED' : 'RECEIVED';
    const params = [id, provider, event.id, event.type, event.transactionId, JSON.stringify(event), state, trace];
    return (await db.query(STORE, params)).length > 0;
  }

  async claim(db: Queryable, limit: number, leaseMs: number): Promise<ClaimedEvent[]> {
    const rows = await db.query<ClaimedEvent>(CLAIM, [limit, leaseMs]);
    return rows.map((row) => ({ ...row, event: { ...row.event, occurredAt: new Date(row.event.occurredAt) } }));
  }

  async finish(tx: Tx, { id, attempts }: ClaimedEvent): Promise<boolean> {
    return (await tx.query(FINISH, [id, attempts])).length > 0;
  }

  async postpone(db: Queryable, { id, attempts }: ClaimedEvent, error: string, delayMs: number): Promise<void> {
    await db.query(POSTPONE, [id, attempts, 'RECEIVED', error, delayMs]);
  }

  async bury(db: Queryable, { id, attempts }: ClaimedEvent, error: string): Promise<void> {
    await db.query(POSTPONE, [id, attempts, 'DEAD', error, 0]);
  }

  /** In how many milliseconds the next event is due; undefined if none waits. */
  async msToNextDue(db: Queryable): Promise<number | undefined> {
    const [row] = await db.query<{ ms: number | null }>(NEXT_DUE, []);
    return row?.ms ?? undefined;
  }

  async replay(db: Queryable, id: string): Promise<InboxRow | undefined> {
    const [row] = await db.query<InboxRow>(REPLAY, [id]);
    return row;
  }

  list(db: Queryable, { state, provider, before, limit }: InboxFilter): Promise<InboxRow[]> {
    return db.query<InboxRow>(state ? LIST_IN[state] : LIST, [provider ?? null, before ?? null, limit]);
  }
}
