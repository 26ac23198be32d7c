import { Injectable } from '@nestjs/common';
import type { TicketUse } from '../../inventory/reservation/hold-policy.js';
import { overRows } from '../../platform/postgres/rows.js';
import { expectingRows, statement } from '../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../platform/postgres/tx.js';
import type { Ticket } from '../sale.js';

export interface NewTicket {
  readonly id: string;
  readonly saleId: string;
  readonly customerId: string | null;
  readonly email: string | null;
}

interface TicketRow extends NewTicket {
  readonly arrival: number;
  readonly place: number | null;
}

/** Whom a ticket is for: one ticket per sale for each of them. */
export type TicketHolder = Omit<NewTicket, 'id'>;

const IS_SPENT = `EXISTS (SELECT FROM reservations WHERE reservations.id = tickets.reservation_id AND state IN ('HELD', 'COMMITTED'))`;

const FIND = statement(
  'ticket.find',
  `SELECT id, sale_id AS "saleId", arrival, place, customer_id AS "customerId", email, admitted_until AS "admittedUntil",
     reservation_id AS "reservationId", reservation_id IS NOT NULL AND ${IS_SPENT} AS "isSpent"
   FROM sale_tickets AS tickets WHERE id = ANY($1::uuid[])`,
);

const HOLDERS = statement(
  'ticket.holders',
  `SELECT sale_id AS "saleId", customer_id AS "customerId", email, id FROM sale_tickets AS tickets
   JOIN unnest($1::text[], $2::text[]) AS given (sale, customer) ON sale_id = sale AND customer_id = customer
   UNION
   SELECT sale_id, customer_id, email, id FROM sale_tickets AS tickets
   JOIN unnest($1::text[], $3::text[]) AS given (sale, mail) ON sale_id = sale AND email = mail`,
);

const INSERT = overRows<TicketRow>(
  'ticket.insert',
  { id: 'uuid', saleId: 'text', arrival: 'int', place: 'int', customerId: 'text', email: 'text' },
  (given) => `
   INSERT INTO sale_tickets (id, sale_id, arrival, place, customer_id, email, created_at)
   SELECT id, "saleId", arrival, place, "customerId", email, now() FROM ${given}`,
);

const ISSUED = statement(
  'ticket.issued',
  `UPDATE sales SET issued = issued + given.count FROM unnest($1::text[], $2::int[]) AS given (id, count)
   WHERE sales.id = given.id`,
);

const LOCK = statement(
  'ticket.lock',
  `SELECT 1 FROM sale_tickets WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
);

/**
 * A ticket buys once: what it was used for before must have been released or have expired. The rows are locked by the
 * statement before, so that this one sees the reservation of whoever used the ticket last: an UPDATE that itself waits
 * for a row reads everything else as it was before the wait.
 */
const USE = expectingRows(
  'ticket.use',
  '$3',
  `UPDATE sale_tickets AS tickets SET reservation_id = use.reservation_id
   FROM unnest($1::uuid[], $2::uuid[]) AS use (ticket_id, reservation_id)
   WHERE tickets.id = use.ticket_id AND tickets.admitted_until > now() AND NOT ${IS_SPENT}`,
);

const MOVE = statement(
  'ticket.move',
  `UPDATE sale_tickets SET reservation_id = move.new_id FROM unnest($1::uuid[], $2::uuid[]) AS move (old_id, new_id)
   WHERE reservation_id = move.old_id`,
);

@Injectable()
export class TicketRepository {
  async find(db: Queryable, ids: readonly string[]): Promise<Map<string, Ticket>> {
    const tickets = await db.query<Ticket>(FIND, [ids]);
    return new Map(tickets.map((ticket) => [ticket.id, ticket]));
  }

  /** Tickets that were given out before to one of them. */
  holders(tx: Tx, given: readonly TicketHolder[]): Promise<NewTicket[]> {
    return tx.query<NewTicket>(HOLDERS, [
      given.map(({ saleId }) => saleId),
      given.map(({ customerId }) => customerId),
      given.map(({ email }) => email),
    ]);
  }

  /** The sales must be locked: the tickets get the next numbers. */
  insert(tx: Tx, rows: readonly TicketRow[]): void {
    if (rows.length === 0) return;
    const counts = new Map<string, number>();
    for (const { saleId } of rows) counts.set(saleId, (counts.get(saleId) ?? 0) + 1);
    tx.send(...INSERT.over(rows));
    tx.send(ISSUED, [[...counts.keys()], [...counts.values()]]);
  }

  use(tx: Tx, uses: readonly TicketUse[], refusal: () => Error): void {
    const ids = uses.map(({ id }) => id);
    tx.send(LOCK, [ids]);
    tx.expect(USE, [ids, uses.map(({ reservationId }) => reservationId), uses.length], refusal);
  }

  move(tx: Tx, moves: readonly { from: string; to: string }[]): void {
    tx.send(MOVE, [moves.map(({ from }) => from), moves.map(({ to }) => to)]);
  }
}
