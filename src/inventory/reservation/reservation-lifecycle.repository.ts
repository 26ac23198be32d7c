import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../platform/postgres/tx.js';
import type { Reservation, ReservationWithLines } from './reservation.js';
import type { StockLine } from '../stock/stock-line.js';

export type ReservationSummary = Pick<Reservation, 'id' | 'state' | 'expiresAt' | 'isOverdue'>;

export interface DueReservation {
  readonly id: string;
  readonly orderId: string | null;
  readonly expiresAt: Date;
  readonly lines: readonly StockLine[];
}

const SELECT = `SELECT id, state, currency, total, alternative, expires_at AS "expiresAt",
     extended_seconds AS "extendedSeconds", order_id AS "orderId", pinned_by AS "pinnedBy", customer_id AS "customerId", terms, created_at AS "createdAt",
     state = 'HELD' AND pinned_by IS NULL AND expires_at <= now() AS "isOverdue",
     (SELECT json_agg(json_build_object('sku', sku, 'name', name, 'quantity', quantity, 'unitAmount', unit_amount)
        ORDER BY sku) FROM reservation_lines WHERE reservation_id = reservations.id) AS lines
   FROM reservations WHERE id = $1`;

const FIND = statement('reservation.find', SELECT);
const LOCK = statement('reservation.lock-one', `${SELECT} FOR UPDATE`);

/** The columns of a ReservationSummary. */
export const SUMMARY = `r.id, r.state, r.expires_at AS "expiresAt", r.state = 'HELD' AND r.pinned_by IS NULL AND r.expires_at <= now() AS "isOverdue"`;

const SUMMARIES = statement(
  'reservation.summaries',
  `SELECT ${SUMMARY} FROM reservations r WHERE r.id = ANY($1::uuid[])`,
);

const EXTEND = statement(
  'reservation.extend',
  `UPDATE reservations SET expires_at = expires_at + $2 * interval '1 second', updated_at = now(),
     extended_seconds = extended_seconds + $2
   WHERE id = $1 AND state = 'HELD' RETURNING expires_at AS "expiresAt"`,
);

/** Held, not pinned by a saga, and expired. */
const IS_DUE = `sweep_at <= now()`;

const DUE = statement(
  'reservation.due',
  `SELECT due.id, due.order_id AS "orderId", due.expires_at AS "expiresAt",
     (SELECT json_agg(json_build_object('sku', sku, 'quantity', quantity))
        FROM reservation_lines WHERE reservation_id = due.id) AS lines
   FROM reservations AS due WHERE ${IS_DUE} ORDER BY due.sweep_at LIMIT $1`,
);

/** SKIP LOCKED: a locked row is being released by another sweep, or has just been pinned by a saga. */
const LOCK_DUE = statement(
  'reservation.lock-due',
  `SELECT id FROM reservations WHERE id = ANY($1::uuid[]) AND ${IS_DUE} ORDER BY id FOR UPDATE SKIP LOCKED`,
);

/** What the owner of a reservation does with it, and the expiry of abandoned ones. */
@Injectable()
export class ReservationLifecycleRepository {
  async find(db: Queryable, id: string): Promise<ReservationWithLines | undefined> {
    const [row] = await db.query<ReservationWithLines>(FIND, [id]);
    return row;
  }

  async summaries(db: Queryable, ids: readonly string[]): Promise<Map<string, ReservationSummary>> {
    const rows = await db.query<ReservationSummary>(SUMMARIES, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  async lock(tx: Tx, id: string): Promise<ReservationWithLines | undefined> {
    const [row] = await tx.query<ReservationWithLines>(LOCK, [id]);
    return row;
  }

  /** The row must be locked and HELD. */
  async extend(tx: Tx, id: string, seconds: number): Promise<Date> {
    const [row] = await tx.query<{ expiresAt: Date }>(EXTEND, [id, seconds]);
    if (!row) throw new Error('the reservation was not locked');
    return row.expiresAt;
  }

  /** The longest overdue first. Nothing is locked yet. */
  due(db: Queryable, limit: number): Promise<DueReservation[]> {
    return db.query<DueReservation>(DUE, [limit]);
  }

  /** Locks those that are still due. */
  async lockDue(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
    const rows = await tx.query<{ id: string }>(LOCK_DUE, [ids]);
    return new Set(rows.map(({ id }) => id));
  }
}
