import { Injectable } from '@nestjs/common';
import { statement } from '../../infrastructure/database/statement.js';
import type { Queryable } from '../../infrastructure/database/tx.js';
import { IS_WATCHED } from '../../saga/saga.repository.js';
import type { LedgerCharge } from '../../payment/gateway/payment-gateway.js';

export interface MissedCallback {
  readonly sagaId: string;
  readonly orderId: string;
  readonly transactionId: string;
  readonly state: LedgerCharge['state'];
}

export interface StuckSaga {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly detail: string | null;
}

export interface DeadEvent {
  readonly id: string;
  readonly type: string;
  readonly transactionId: string;
  readonly orderId: string | null;
  readonly error: string | null;
}

/** The charge has ended at the provider, and the saga still waits to hear of it. */
const MISSED = statement(
  'reconciliation.missed-callbacks',
  `SELECT sagas.id AS "sagaId", payments.order_id AS "orderId", ledger.id AS "transactionId", ledger.state
   FROM payments
   JOIN unnest($2::text[], $3::text[], $4::text[]) AS ledger (id, key, state) ON ledger.key = payments.idempotency_key
   JOIN orders ON orders.id = payments.order_id
   JOIN sagas ON sagas.id = orders.saga_id AND sagas.state = 'WAITING'
   WHERE payments.provider = $1 AND payments.state IN ('PENDING', 'REQUIRES_ACTION', 'IN_DOUBT') LIMIT $5`,
);

const STUCK = statement(
  'reconciliation.stuck',
  `SELECT id, name, subject, failure ->> 'detail' AS detail FROM sagas
   WHERE ${IS_WATCHED} AND state = 'STUCK' ORDER BY id LIMIT $1`,
);

const DEAD = statement(
  'reconciliation.dead-events',
  `SELECT id, type, transaction_id AS "transactionId", event ->> 'orderId' AS "orderId", error
   FROM webhook_inbox WHERE state = 'DEAD' ORDER BY id LIMIT $1`,
);

@Injectable()
export class ReconciliationRepository {
  missedCallbacks(
    db: Queryable,
    provider: string,
    charges: readonly LedgerCharge[],
    limit: number,
  ): Promise<MissedCallback[]> {
    const ended = charges.filter(({ state }) => state !== 'PENDING');
    return db.query<MissedCallback>(MISSED, [
      provider,
      ended.map(({ id }) => id),
      ended.map(({ idempotencyKey }) => idempotencyKey ?? null),
      ended.map(({ state }) => state),
      limit,
    ]);
  }

  stuckSagas(db: Queryable, limit: number): Promise<StuckSaga[]> {
    return db.query<StuckSaga>(STUCK, [limit]);
  }

  deadEvents(db: Queryable, limit: number): Promise<DeadEvent[]> {
    return db.query<DeadEvent>(DEAD, [limit]);
  }
}
