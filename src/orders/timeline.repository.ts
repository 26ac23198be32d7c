import { Injectable } from '@nestjs/common';
import { overRows } from '../platform/postgres/rows.js';
import { statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';

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

const APPEND = overRows<TimelineNote & { at: Date }>(
  'timeline.append',
  { orderId: 'uuid', at: 'timestamptz', kind: 'text', detail: 'jsonb' },
  (given) => `INSERT INTO order_timeline (order_id, at, kind, detail)
   SELECT "orderId", at, kind, coalesce(detail, '{}') FROM ${given}`,
);
const OF_ORDER = statement(
  'timeline.of-order',
  `SELECT at, kind, detail FROM order_timeline WHERE order_id = $1 ORDER BY id`,
);

/** What happened to an order and why, written with the change itself. */
@Injectable()
export class TimelineRepository {
  append(tx: Tx, notes: readonly TimelineNote[]): void {
    const at = new Date();
    tx.gather(
      APPEND,
      notes.map((note) => ({ ...note, at })),
    );
  }

  ofOrder(db: Queryable, orderId: string): Promise<TimelineRow[]> {
    return db.query<TimelineRow>(OF_ORDER, [orderId]);
  }
}
