import { Injectable } from '@nestjs/common';
import { literals, statement } from '../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../platform/postgres/tx.js';
import { OPEN_STATES } from '../../saga/saga-state.js';

export interface ExpiringPayment {
  readonly orderId: string;
  readonly paymentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly transactionId: string;
  readonly authorizedUntil: Date;
}

/** Guarded: of several instances one announces it, and once. */
const ANNOUNCE = statement(
  'authorizations.announce',
  `UPDATE payments SET expiry_announced_at = now()
   WHERE id IN (
     SELECT id FROM payments WHERE authorized_until < now() + $1 * interval '1 second' AND state = 'AUTHORIZED' AND expiry_announced_at IS NULL
     ORDER BY authorized_until LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING order_id AS "orderId", id AS "paymentId", amount, currency, transaction_id AS "transactionId", authorized_until AS "authorizedUntil"`,
);

/** Those of confirmed orders that no saga is at work on; any other belongs to its checkout. */
const OVERDUE = statement(
  'authorizations.overdue',
  `SELECT order_id AS "orderId" FROM payments JOIN orders ON orders.id = order_id
   WHERE authorized_until <= now() AND payments.state = 'AUTHORIZED' AND orders.state = 'CONFIRMED'
     AND NOT EXISTS (SELECT FROM sagas WHERE sagas.id = payments.ended_by AND sagas.state IN (${literals(OPEN_STATES)}))
   ORDER BY authorized_until LIMIT $1`,
);

/** Authorisations that end soon, or should have ended. */
@Injectable()
export class AuthorizationExpiryRepository {
  announce(tx: Tx, withinSeconds: number, limit: number): Promise<ExpiringPayment[]> {
    return tx.query<ExpiringPayment>(ANNOUNCE, [withinSeconds, limit]);
  }

  async overdue(db: Queryable, limit: number): Promise<string[]> {
    const rows = await db.query<{ orderId: string }>(OVERDUE, [limit]);
    return rows.map(({ orderId }) => orderId);
  }
}
