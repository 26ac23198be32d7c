import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { statement } from '../database/statement.js';
import type { Tx } from '../database/tx.js';

export type DomainEventType =
  | 'order.confirmed'
  | 'order.rejected'
  | 'order.cancelled'
  | 'payment.captured'
  | 'payment.declined'
  | 'refund.settled'
  | 'reservation.expired'
  | 'saga.stuck';

export interface DomainEvent {
  readonly type: DomainEventType;
  /** What it is about, and the unit of ordering: an order id where there is one. */
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const APPEND = statement(
  'outbox.append',
  `INSERT INTO outbox (id, type, subject, payload)
   SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[])`,
);

/** Events commit with the change they tell of, or not at all. */
@Injectable()
export class OutboxRepository {
  append(tx: Tx, events: readonly DomainEvent[]): void {
    if (events.length === 0) return;
    tx.send(APPEND, [
      events.map(() => uuid()),
      events.map((event) => event.type),
      events.map((event) => event.subject),
      events.map((event) => JSON.stringify(event.payload)),
    ]);
  }
}
