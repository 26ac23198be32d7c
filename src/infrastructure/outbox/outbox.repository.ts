import { Injectable } from '@nestjs/common';
import { newId } from '../../common/id.js';
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
   SELECT id, type, subject, payload FROM json_to_recordset($1::json) AS event (id uuid, type text, subject text, payload jsonb)`,
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
}
