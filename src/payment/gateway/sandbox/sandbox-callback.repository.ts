import { overRows } from '../../../platform/postgres/rows.js';
import { statement } from '../../../platform/postgres/statement.js';
import type { Queryable } from '../../../platform/postgres/tx.js';

export interface NewCallback {
  readonly eventId: string;
  readonly body: string;
  readonly delayMs: number;
}

export interface Callback {
  readonly id: string;
  readonly body: string;
  readonly attempts: number;
}

const INSERT = overRows<NewCallback>(
  'sandbox-callback-insert',
  { eventId: 'text', body: 'text', delayMs: 'float8' },
  (given) => `INSERT INTO sandbox.callbacks (event_id, body, next_at)
   SELECT "eventId", body, now() + "delayMs" * interval '1 millisecond' FROM ${given}`,
);

/** A claim is a lease: if the sender dies, the callback becomes due again. */
const CLAIM = statement(
  'sandbox-callback-claim',
  `UPDATE sandbox.callbacks SET attempts = attempts + 1, next_at = now() + $2 * interval '1 millisecond'
   WHERE id IN (SELECT id FROM sandbox.callbacks WHERE next_at <= now()
                ORDER BY next_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING id, body, attempts`,
);

const DELETE = statement('sandbox-callback-delete', `DELETE FROM sandbox.callbacks WHERE id = $1`);

const POSTPONE = statement(
  'sandbox-callback-postpone',
  `UPDATE sandbox.callbacks SET next_at = now() + $2 * interval '1 millisecond' WHERE id = $1`,
);

const NEXT_DUE = statement(
  'sandbox-next-due',
  `SELECT extract(epoch FROM least(
     (SELECT min(due_at) FROM sandbox.charges WHERE state = 'PENDING'),
     (SELECT min(due_at) FROM sandbox.refunds WHERE due_at IS NOT NULL),
     (SELECT min(expires_at) FROM sandbox.charges WHERE expires_at IS NOT NULL),
     (SELECT min(next_at) FROM sandbox.callbacks WHERE $1)) - clock_timestamp())::float8 * 1000 AS ms`,
);

export async function insertCallbacks(db: Queryable, callbacks: readonly NewCallback[]): Promise<void> {
  await db.query(...INSERT.over(callbacks));
}

export function claimCallbacks(db: Queryable, limit: number, leaseMs: number): Promise<Callback[]> {
  return db.query<Callback>(CLAIM, [limit, leaseMs]);
}

export async function deleteCallback(db: Queryable, id: string): Promise<void> {
  await db.query(DELETE, [id]);
}

export async function postponeCallback(db: Queryable, id: string, delayMs: number): Promise<void> {
  await db.query(POSTPONE, [id, delayMs]);
}

/** In how many milliseconds the next approval, late failure, expiry or delivery is due; undefined if nothing waits. */
export async function msToNextDue(db: Queryable, isDelivering: boolean): Promise<number | undefined> {
  const [row] = await db.query<{ ms: number | null }>(NEXT_DUE, [isDelivering]);
  return row?.ms ?? undefined;
}
