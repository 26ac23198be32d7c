import { Injectable } from '@nestjs/common';
import { FROM_NEWEST, statement } from '../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../platform/postgres/tx.js';
import type { DeadLetter, DeadLetterState } from './dead-letter.entity.js';

export type NewDeadLetter = Pick<DeadLetter, 'id' | 'source' | 'messageId' | 'body' | 'code' | 'reason' | 'deliveries'>;
/** A type alias, because an interface has no index signature. */
export type DeadLetterRow = { readonly [name in keyof DeadLetter]: DeadLetter[name] };

const COLUMNS = `id, source, message_id AS "messageId", body, code, reason, deliveries, state, order_id AS "orderId",
   resolved_by AS "resolvedBy", resolved_at AS "resolvedAt", created_at AS "createdAt"`;

const INSERT = statement(
  'dead-letters.insert',
  `INSERT INTO dead_letters (id, source, message_id, body, code, reason, deliveries) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (source) DO NOTHING RETURNING id`,
);
const LIST = statement(
  'dead-letters.list',
  `SELECT ${COLUMNS} FROM dead_letters WHERE state = coalesce($3, state) AND id < coalesce($1, ${FROM_NEWEST})
   ORDER BY id DESC LIMIT $2`,
);
const FIND = statement('dead-letters.find', `SELECT ${COLUMNS} FROM dead_letters WHERE id = $1`);
const RESOLVE = statement(
  'dead-letters.resolve',
  `UPDATE dead_letters SET state = $2, resolved_by = $3, order_id = $4, resolved_at = now()
   WHERE id = $1 AND state = 'OPEN' RETURNING ${COLUMNS}`,
);
const FAIL_AGAIN = statement(
  'dead-letters.fail-again',
  `UPDATE dead_letters SET code = $2, reason = $3 WHERE id = $1 AND state = 'OPEN' RETURNING ${COLUMNS}`,
);
const COUNT_OPEN = statement(
  'dead-letters.count-open',
  `SELECT count(*) AS open FROM dead_letters WHERE state = 'OPEN'`,
);

@Injectable()
export class DeadLetterRepository {
  /** Whether it was not recorded before. */
  async insert(tx: Tx, letter: NewDeadLetter): Promise<boolean> {
    const { id, source, messageId, body, code, reason, deliveries } = letter;
    return (await tx.query(INSERT, [id, source, messageId, body, code, reason, deliveries])).length > 0;
  }

  list(
    db: Queryable,
    { before, limit, state }: { before?: string | undefined; limit: number; state?: DeadLetterState | undefined },
  ): Promise<DeadLetterRow[]> {
    return db.query<DeadLetterRow>(LIST, [before ?? null, limit, state ?? null]);
  }

  async find(db: Queryable, id: string): Promise<DeadLetterRow | undefined> {
    return (await db.query<DeadLetterRow>(FIND, [id]))[0];
  }

  /** Undefined if it is not open any more. */
  async resolve(
    db: Queryable,
    id: string,
    { state, actor, orderId }: { state: 'RETRIED' | 'DISCARDED'; actor: string; orderId?: string | undefined },
  ): Promise<DeadLetterRow | undefined> {
    return (await db.query<DeadLetterRow>(RESOLVE, [id, state, actor, orderId ?? null]))[0];
  }

  async failAgain(db: Queryable, id: string, code: string, reason: string): Promise<DeadLetterRow | undefined> {
    return (await db.query<DeadLetterRow>(FAIL_AGAIN, [id, code, reason]))[0];
  }

  async countOpen(db: Queryable): Promise<number> {
    const [row] = await db.query<{ open: number }>(COUNT_OPEN, []);
    return row?.open ?? 0;
  }
}
