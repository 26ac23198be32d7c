import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { allowanceKey, parseAllowanceKey } from '../../balance/allowance.js';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../platform/postgres/tx.js';

export interface ErasureRecord {
  readonly id: string;
  readonly customerHash: string;
  readonly actor: string;
  readonly reason: string;
  readonly orders: number;
  readonly reservations: number;
}

/** Whose they are is asked by two indexes, so by two statements: with OR neither would be used. */
const OF_CUSTOMER = `SELECT id, saga_id, state FROM orders WHERE customer_id = $1
   UNION SELECT id, saga_id, state FROM orders WHERE lower(customer_email) = lower($2)`;
const IS_OPEN = `(theirs.state = 'PENDING' OR EXISTS (
   SELECT FROM sagas WHERE sagas.subject = theirs.id::text AND state IN ('RUNNING', 'WAITING', 'COMPENSATING', 'STUCK')))`;

const FIND = statement(
  'erasures.find',
  `SELECT theirs.id, theirs.saga_id AS "sagaId", ${IS_OPEN} AS "isOpen" FROM (${OF_CUSTOMER}) AS theirs`,
);

const ORDERS = statement(
  'erasures.orders',
  `UPDATE orders SET customer_id = NULL, customer_email = NULL, metadata = '{}', updated_at = now() WHERE id = ANY($1::uuid[])`,
);

/** A saga that has ended is never run again: what it knew of its customer is not needed any more. */
const SAGAS = statement(
  'erasures.sagas',
  `UPDATE sagas SET changes = NULL,
     data = ((data::jsonb || coalesce(changes::jsonb, '{}')) - 'source' || '{"customer": {}, "metadata": {}}')::json
   WHERE id = ANY($1::uuid[]) AND state IN ('COMPLETED', 'COMPENSATED', 'RESOLVED')`,
);

const RESERVATIONS = statement(
  'erasures.reservations',
  `UPDATE reservations SET customer_id = NULL WHERE customer_id = $1 AND state <> 'HELD' RETURNING id`,
);

const TICKETS = statement(
  'erasures.tickets',
  `UPDATE sale_tickets SET customer_id = NULL, email = NULL WHERE customer_id = $1 OR email = $2`,
);

/** Money that is left stays its customer's. */
const ACCOUNTS = statement(
  'erasures.accounts',
  `WITH erased AS (
     UPDATE accounts SET customer_id = NULL, updated_at = now() WHERE customer_id = $1 AND balance = 0 RETURNING id)
   SELECT count(*)::int AS open FROM accounts WHERE customer_id = $1 AND balance > 0`,
);

/** What a customer has had of coupons and limited goods. What is held now is part of something under way. */
const LOCK_ALLOWANCES = statement(
  'erasures.lock-allowances',
  `SELECT key FROM allowances WHERE customer = ANY($1::text[]) AND held = 0 ORDER BY key FOR UPDATE`,
);
const ALLOWANCES = statement(
  'erasures.allowances',
  `UPDATE allowances SET key = erased.key, customer = NULL, updated_at = now()
   FROM unnest($1::text[], $2::text[]) AS erased (former, key) WHERE allowances.key = erased.former`,
);
const CLAIMS = statement(
  'erasures.claims',
  `UPDATE reservation_claims SET key = erased.key FROM unnest($1::text[], $2::text[]) AS erased (former, key)
   WHERE reservation_claims.key = erased.former AND reservation_claims.key LIKE '%|%|%'`,
);

const RECORD = statement(
  'erasures.record',
  `INSERT INTO erasures (id, customer_hash, actor, reason, orders, reservations) VALUES ($1, $2, $3, $4, $5, $6)`,
);

@Injectable()
export class ErasureRepository {
  find(
    db: Queryable,
    customerId: string,
    email: string | undefined,
  ): Promise<{ id: string; sagaId: string; isOpen: boolean }[]> {
    return db.query(FIND, [customerId, email ?? null]);
  }

  eraseOrders(tx: Tx, orders: readonly { readonly id: string; readonly sagaId: string }[]): void {
    tx.send(ORDERS, [orders.map(({ id }) => id)]);
    tx.send(SAGAS, [orders.map(({ sagaId }) => sagaId)]);
  }

  async eraseReservations(tx: Tx, customerId: string): Promise<number> {
    return (await tx.query(RESERVATIONS, [customerId])).length;
  }

  /** With an e-mail as sales compare it. A ticket itself stays: it is a place in a queue. */
  eraseTickets(tx: Tx, customerId: string, email: string | null): void {
    tx.send(TICKETS, [customerId, email]);
  }

  /** How many accounts are left because there is money in them. */
  async eraseAccounts(tx: Tx, customerId: string): Promise<number> {
    const [row] = await tx.query<{ open: number }>(ACCOUNTS, [customerId]);
    return row?.open ?? 0;
  }

  /** The counts stay, so that they add up; they are nobody's. */
  async eraseAllowances(tx: Tx, customers: readonly string[]): Promise<void> {
    const rows = await tx.query<{ key: string }>(LOCK_ALLOWANCES, [customers]);
    if (rows.length === 0) return;
    const former = rows.map(({ key }) => key);
    const keys = former.map((key) => {
      const { kind, subject } = parseAllowanceKey(key);
      return allowanceKey(kind, subject, `erased-${randomUUID()}`);
    });
    tx.send(ALLOWANCES, [former, keys]);
    tx.send(CLAIMS, [former, keys]);
  }

  record(tx: Tx, { id, customerHash, actor, reason, orders, reservations }: ErasureRecord): void {
    tx.send(RECORD, [id, customerHash, actor, reason, orders, reservations]);
  }
}
