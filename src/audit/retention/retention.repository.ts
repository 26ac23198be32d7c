import { Injectable } from '@nestjs/common';
import { Statement, statement } from '../../platform/postgres/statement.js';
import type { Queryable } from '../../platform/postgres/tx.js';

/** Rows that only explain what has happened. The books (orders, payments, refunds, stock) are kept. */
export const AGED = ['sagas', 'timeline', 'callbacks', 'deadLetters', 'reservations', 'tickets', 'actions'] as const;
export type Aged = (typeof AGED)[number];

/**
 * By the primary key, which sorts by age (UUIDv7): no index has to be kept for it. `$1` is where the batch before ended, so
 * that what it deleted is not read again; `$2` is below every id that is kept.
 */
function agedRows(name: Aged, table: string, key: string, condition: string): Statement {
  const [first = key] = key.split(', ');
  return statement(
    `retention.${name}`,
    `DELETE FROM ${table} WHERE (${key}) IN (
       SELECT ${key} FROM ${table} WHERE ${first} >= $1::uuid AND ${first} < $2::uuid AND ${condition}
       ORDER BY ${key} LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING ${first} AS id`,
  );
}

const PURGES: Readonly<Record<Aged, Statement>> = {
  // A cancellation that came to nothing is looked at by the next one, and what an operator has touched stays as long as its
  // audit.
  sagas: agedRows(
    'sagas',
    'sagas',
    'id',
    `(state = 'COMPLETED' OR (state = 'COMPENSATED' AND name = 'checkout'))
       AND NOT EXISTS (SELECT FROM saga_audit WHERE saga_id = sagas.id)`,
  ),
  timeline: agedRows('timeline', 'order_timeline', 'order_id, id', 'true'),
  callbacks: agedRows('callbacks', 'webhook_inbox', 'id', `state = 'PROCESSED'`),
  deadLetters: agedRows('deadLetters', 'dead_letters', 'id', `state <> 'OPEN'`),
  reservations: agedRows(
    'reservations',
    'reservations',
    'id',
    `state IN ('RELEASED', 'EXPIRED') AND order_id IS NULL AND pinned_by IS NULL`,
  ),
  // While the sale is on a ticket is a place in its queue.
  tickets: agedRows(
    'tickets',
    'sale_tickets',
    'id',
    `EXISTS (SELECT FROM sales WHERE sales.id = sale_id AND coalesce(ended_at, ends_at) < now())`,
  ),
  actions: agedRows('actions', 'operator_actions', 'id', 'true'),
};

/** Audits have numbers for keys, in the order of their time; operators make few of them. */
export const AUDITS = ['saga_audit', 'sale_audit'] as const;
export type Audit = (typeof AUDITS)[number];
const AUDIT_PURGES = Object.fromEntries(
  AUDITS.map((table) => [
    table,
    statement(
      `retention.${table}`,
      `DELETE FROM ${table} WHERE id IN (
         SELECT id FROM ${table} WHERE created_at < now() - $1 * interval '1 day' ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
    ),
  ]),
) as Readonly<Record<Audit, Statement>>;

@Injectable()
export class RetentionRepository {
  /** Deletes a batch, and answers the keys of what it has deleted. */
  async purge(db: Queryable, what: Aged, after: string, before: string, limit: number): Promise<string[]> {
    const rows = await db.query<{ id: string }>(PURGES[what], [after, before, limit]);
    return rows.map(({ id }) => id);
  }

  async purgeAudits(db: Queryable, table: Audit, days: number, limit: number): Promise<number> {
    return (await db.query(AUDIT_PURGES[table], [days, limit])).length;
  }
}
