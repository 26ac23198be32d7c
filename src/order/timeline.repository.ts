import { Injectable } from '@nestjs/common';
import { statement } from '../infrastructure/database/statement.js';
import type { Queryable, Tx } from '../infrastructure/database/tx.js';

export interface TimelineNote {
  readonly orderId: string;
  readonly kind: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface TimelineRow {
  readonly at: Date;
  readonly kind: string;
  readonly detail: Record<string, unknown>;
}

const APPEND = statement(
  'timeline.append',
  `INSERT INTO order_timeline (order_id, kind, detail) SELECT * FROM unnest($1::uuid[], $2::text[], $3::jsonb[])`,
);
const OF_ORDER = statement(
  'timeline.of-order',
  `SELECT at, kind, detail FROM order_timeline WHERE order_id = $1 ORDER BY id`,
);

/** What happened to an order and why, written with the change itself. */
@Injectable()
export class TimelineRepository {
  append(tx: Tx, notes: readonly TimelineNote[]): void {
    if (notes.length === 0) return;
    tx.send(APPEND, [
      notes.map((note) => note.orderId),
      notes.map((note) => note.kind),
      notes.map((note) => JSON.stringify(note.detail ?? {})),
    ]);
  }

  ofOrder(db: Queryable, orderId: string): Promise<TimelineRow[]> {
    return db.query<TimelineRow>(OF_ORDER, [orderId]);
  }
}
