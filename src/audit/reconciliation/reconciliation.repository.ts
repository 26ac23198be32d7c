import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable } from '../../platform/postgres/tx.js';
import { IS_WATCHED } from '../../saga/saga.repository.js';
import type { LedgerCharge } from '../../payment/gateway/payment-gateway.js';

export interface MissedCallback {
  readonly sagaId: string;
  readonly saga: 'WAITING' | 'STUCK';
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

/**
 * The charge has ended at the provider, and the saga still waits for it, or is stuck because the result was unknown. Of
 * two charges under one key, the one that the payment names counts.
 */
const MISSED = statement(
  'reconciliation.missed-callbacks',
  `SELECT DISTINCT ON (sagas.id) sagas.id AS "sagaId", sagas.state AS saga, payments.order_id AS "orderId", ledger.id AS "transactionId", ledger.state
   FROM payments
   JOIN unnest($2::text[], $3::text[], $4::text[]) AS ledger (id, key, state) ON ledger.key = payments.idempotency_key
   JOIN orders ON orders.id = payments.order_id
   JOIN sagas ON sagas.id = orders.saga_id AND sagas.state IN ('WAITING', 'STUCK')
   WHERE payments.provider = $1 AND payments.state IN ('PENDING', 'REQUIRES_ACTION', 'IN_DOUBT')
     AND coalesce(payments.transaction_id, ledger.id) = ledger.id
   ORDER BY sagas.id LIMIT $5`,
);

/** The database's clock is shared by all instances. */
const PROGRESS = statement(
  'reconciliation.progress',
  `SELECT now() AS now, (SELECT reconciled_until FROM reconciliations WHERE provider = $1) AS until`,
);
const ADVANCE = statement(
  'reconciliation.advance',
  `INSERT INTO reconciliations (provider, reconciled_until) VALUES ($1, $2)
   ON CONFLICT (provider) DO UPDATE SET reconciled_until = greatest(reconciliations.reconciled_until, excluded.reconciled_until)`,
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

  /** Until when everything was compared, null before the first time; and the current time. */
  async progress(db: Queryable, provider: string): Promise<{ now: Date; until: Date | null }> {
    const [row] = await db.query<{ now: Date; until: Date | null }>(PROGRESS, [provider]);
    if (!row) throw new Error('the database did not say what time it is');
    return row;
  }

  async advance(db: Queryable, provider: string, until: Date): Promise<void> {
    await db.query(ADVANCE, [provider, until]);
  }

  stuckSagas(db: Queryable, limit: number): Promise<StuckSaga[]> {
    return db.query<StuckSaga>(STUCK, [limit]);
  }

  deadEvents(db: Queryable, limit: number): Promise<DeadEvent[]> {
    return db.query<DeadEvent>(DEAD, [limit]);
  }
}
