import { Injectable } from '@nestjs/common';
import { addUp, draw } from '../balance/allocation.js';
import { newId } from '../common/id.js';
import { guardOf } from '../common/state-machine.js';
import { typesOf } from '../platform/postgres/entity-columns.js';
import { overRows } from '../platform/postgres/rows.js';
import { expectingRows, literals, statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import { CreditHoldEntity } from './account.entity.js';
import { AccountRepository } from './account.repository.js';
import { CREDIT_HOLD_TRANSITIONS } from './credit-hold-state.js';

export type CreditHold = Readonly<Pick<CreditHoldEntity, 'orderId' | 'accountId' | 'amount'>>;
export type TakenCredit = CreditHold & Readonly<Pick<CreditHoldEntity, 'refundedAmount'>>;

export interface CreditRequest {
  readonly orderId: string;
  readonly currency: string;
  readonly amount: number;
  readonly accountIds: readonly string[];
  /** No card pays the rest. */
  readonly isWhole: boolean;
}

export type CreditVerdict =
  /** The amount that each account pays, in the order of the accounts. */
  | { readonly kind: 'held'; readonly amounts: readonly number[] }
  | { readonly kind: 'short'; readonly available: number };

const INSERT = overRows<CreditHold>(
  'credit.insert',
  typesOf(CreditHoldEntity, ['orderId', 'accountId', 'amount']),
  (given) => `INSERT INTO credit_holds (order_id, account_id, state, amount)
   SELECT "orderId", "accountId", 'HELD', amount FROM ${given}`,
);

const TAKE = expectingRows(
  'credit.take',
  '$2',
  `UPDATE credit_holds SET state = 'TAKEN', updated_at = now()
   WHERE order_id = ANY($1::uuid[]) AND state IN (${literals(guardOf(CREDIT_HOLD_TRANSITIONS, 'TAKEN'))})`,
);

const RELEASE = statement(
  'credit.release',
  `UPDATE credit_holds SET state = 'RELEASED', updated_at = now()
   WHERE order_id = ANY($1::uuid[]) AND state IN (${literals(guardOf(CREDIT_HOLD_TRANSITIONS, 'RELEASED'))})
   RETURNING order_id AS "orderId", account_id AS "accountId", amount`,
);

const TAKEN = `SELECT order_id AS "orderId", account_id AS "accountId", amount, refunded_amount AS "refundedAmount"
   FROM credit_holds WHERE order_id = ANY($1::uuid[]) AND state = 'TAKEN'`;
const OF_ORDERS = statement('credit.of-orders', TAKEN);
const LOCK_TAKEN = statement('credit.lock-taken', `${TAKEN} ORDER BY order_id, account_id FOR UPDATE`);

/** The database refuses more than was taken. */
const REFUND = statement(
  'credit.refund',
  `UPDATE credit_holds SET refunded_amount = refunded_amount + back.amount, updated_at = now()
   FROM unnest($1::uuid[], $2::text[], $3::int8[]) AS back (order_id, account_id, amount)
   WHERE credit_holds.order_id = back.order_id AND credit_holds.account_id = back.account_id`,
);

/** Money that goes back to an account. */
export interface CreditRefund extends CreditHold {
  readonly refundId: string;
  readonly reason: string;
  readonly actor: string;
}

/**
 * The holds of orders on accounts, many at a time. Only the order's own saga moves its holds. Each move is guarded by
 * the state it leaves, so it takes effect once however often it is repeated.
 */
@Injectable()
export class CreditRepository {
  constructor(private readonly accounts: AccountRepository) {}

  prefetch(tx: Tx, accountIds: readonly string[]): void {
    this.accounts.rows.prefetch(tx, [...new Set(accountIds)]);
  }

  /** In order of arrival: the first request may empty an account. */
  async hold(tx: Tx, requests: readonly CreditRequest[], token?: bigint): Promise<readonly CreditVerdict[]> {
    const ids = [...new Set(requests.flatMap(({ accountIds }) => accountIds))];
    const rows = await this.accounts.rows.lock(tx, ids, token);
    const available = new Map([...rows].map(([id, { balance, held }]) => [id, balance - held]));
    const usable = requests.map((request) => ({
      ...request,
      // The account was looked up a moment ago. An account without entries may have changed its currency since.
      keys: request.accountIds.filter((id) => rows.get(id)?.currency === request.currency),
    }));
    const holds: CreditHold[] = [];
    const verdicts = draw(available, usable).map((drawn, index): CreditVerdict => {
      const { orderId, accountIds, keys } = usable[index] as (typeof usable)[number];
      if (!drawn) return { kind: 'short', available: keys.reduce((sum, id) => sum + (available.get(id) ?? 0), 0) };
      const parts = new Map(keys.map((id, at) => [id, drawn[at] ?? 0]));
      for (const [accountId, amount] of parts) if (amount > 0) holds.push({ orderId, accountId, amount });
      return { kind: 'held', amounts: accountIds.map((id) => parts.get(id) ?? 0) };
    });
    if (holds.length > 0) {
      this.accounts.rows.hold(tx, quantitiesOf(holds), token);
      tx.send(...INSERT.over(holds));
    }
    return verdicts;
  }

  /** Spends the holds of confirmed orders. The transaction fails unless all of them are still held. */
  take(tx: Tx, holds: readonly CreditHold[]): void {
    const orderIds = [...new Set(holds.map(({ orderId }) => orderId))];
    tx.expect(TAKE, [orderIds, holds.length]);
    this.accounts.record(
      tx,
      holds.map(({ orderId, accountId, amount }) => ({
        ...{ id: newId(), accountId, kind: 'PURCHASE' as const, amount: -amount },
        ...{ reason: 'the order was confirmed', actor: 'checkout', orderId, refundId: null },
      })),
    );
    this.accounts.rows.take(tx, quantitiesOf(holds));
  }

  /** Makes held credit available again. Idempotent: returns the holds that this call released. */
  async release(tx: Tx, orderIds: readonly string[]): Promise<readonly CreditHold[]> {
    const released = await tx.query<CreditHold & Record<string, unknown>>(RELEASE, [orderIds]);
    this.accounts.rows.free(tx, quantitiesOf(released));
    return released;
  }

  taken(db: Queryable, orderIds: readonly string[]): Promise<TakenCredit[]> {
    return db.query<TakenCredit & Record<string, unknown>>(OF_ORDERS, [orderIds]);
  }

  lockTaken(tx: Tx, orderIds: readonly string[]): Promise<TakenCredit[]> {
    return tx.query<TakenCredit & Record<string, unknown>>(LOCK_TAKEN, [orderIds]);
  }

  /** Gives spent credit back. The holds must be locked and have that much left. */
  refund(tx: Tx, spent: readonly CreditHold[]): void {
    if (spent.length === 0) return;
    const orderIds = spent.map(({ orderId }) => orderId);
    tx.send(REFUND, [orderIds, spent.map(({ accountId }) => accountId), spent.map(({ amount }) => amount)]);
  }

  /**
   * Raises the balances and adds an entry for each. Deposits are relative changes, so they need no lock and no order.
   */
  deposit(tx: Tx, refunds: readonly CreditRefund[]): void {
    this.accounts.record(
      tx,
      refunds.map((refund) => ({ ...refund, id: newId(), kind: 'REFUND' as const })),
    );
    this.accounts.rows.giveBack(tx, quantitiesOf(refunds));
  }

  /** Returns to the accounts everything that cancelled orders still had of them. */
  async giveBack(tx: Tx, orders: ReadonlyMap<string, Omit<CreditRefund, keyof CreditHold>>): Promise<void> {
    const left = (await this.lockTaken(tx, [...orders.keys()])).flatMap(
      ({ orderId, accountId, amount, refundedAmount }) =>
        amount > refundedAmount ? [{ orderId, accountId, amount: amount - refundedAmount }] : [],
    );
    this.refund(tx, left);
    this.deposit(
      tx,
      left.flatMap((hold) => {
        const order = orders.get(hold.orderId);
        return order ? [{ ...hold, ...order }] : [];
      }),
    );
  }
}

function quantitiesOf(holds: readonly CreditHold[]): Map<string, number> {
  return addUp(holds.map(({ accountId, amount }) => [accountId, amount]));
}
