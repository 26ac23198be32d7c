import { Injectable } from '@nestjs/common';
import { guardOf } from '../common/state-machine.js';
import { columnsOf, typesOf } from '../platform/postgres/entity-columns.js';
import { overRows } from '../platform/postgres/rows.js';
import { expectingRows, literals, statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import { CAPTURED } from './captured.js';
import type { Dispute } from './dispute.js';
import type { NextAction } from './gateway/payment-gateway.js';
import { PaymentEntity } from './payment.entity.js';
import { PAYMENT_TRANSITIONS, PaymentState } from './payment-state.js';

const NEW = [
  'id',
  'orderId',
  'provider',
  'amount',
  'currency',
  'method',
  'idempotencyKey',
] as const satisfies readonly (keyof PaymentEntity)[];
const MEMBERS = [
  ...NEW,
  'state',
  'capturedAmount',
  'authorizedUntil',
  'endedBy',
  'refundReserved',
  'refundedAmount',
  'creditedAmount',
  'transactionId',
  'declineCode',
  'nextAction',
  'dispute',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof PaymentEntity)[];
const COLUMNS = columnsOf(PaymentEntity, MEMBERS);

export type NewPayment = Readonly<Pick<PaymentEntity, (typeof NEW)[number]>>;
export type PaymentRow = Readonly<Pick<PaymentEntity, (typeof MEMBERS)[number]>>;

export interface PaymentMove {
  readonly orderId: string;
  readonly transactionId?: string | null;
  readonly declineCode?: string | null;
  readonly nextAction?: NextAction | null;
}

/** As it is stored where nothing was left for a card to pay. */
export const NO_METHOD = 'none';

/** A charge that was intended and whose result is not recorded yet. */
export interface IntendedCharge {
  readonly provider: string;
  readonly transactionId: string | null;
  readonly intendedAt: Date;
  /** By the database's clock, because the clocks of the instances may differ. */
  readonly ageMs: number;
}

const INSERT = overRows<NewPayment>(
  'payments.insert',
  typesOf(PaymentEntity, NEW),
  (given) => `INSERT INTO payments (id, order_id, provider, state, amount, currency, method, idempotency_key)
   SELECT id, "orderId", provider, 'PENDING', amount, currency, method, "idempotencyKey" FROM ${given}`,
);

/** Guarded by the states the transition table allows; says which moves landed. */
const MOVE = statement(
  'payments.move',
  `UPDATE payments SET state = $1, updated_at = now(),
     transaction_id = coalesce(move.transaction_id, payments.transaction_id), decline_code = move.decline_code, next_action = move.next_action
   FROM unnest($3::uuid[], $4::text[], $5::text[], $6::jsonb[]) AS move (order_id, transaction_id, decline_code, next_action)
   WHERE payments.order_id = move.order_id AND state = ANY($2::text[])
   RETURNING payments.order_id AS id`,
);

/** Guarded like every other move; only this one says when the authorisation ends. */
const AUTHORIZE = statement(
  'payments.authorize',
  `UPDATE payments SET state = 'AUTHORIZED', transaction_id = known.transaction_id, authorized_until = known.until, next_action = NULL, updated_at = now()
   FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS known (order_id, transaction_id, until)
   WHERE payments.order_id = known.order_id AND state IN (${literals(guardOf(PAYMENT_TRANSITIONS, 'AUTHORIZED'))})`,
);

/** Only the first id is recorded: of two charges under one key, one is the payment and the other a stray. */
const NOTE_TRANSACTION = statement(
  'payments.note-transaction',
  `UPDATE payments SET transaction_id = known.transaction_id, updated_at = now()
   FROM unnest($1::uuid[], $2::text[]) AS known (order_id, transaction_id)
   WHERE payments.order_id = known.order_id AND payments.transaction_id IS NULL AND state IN ('PENDING', 'REQUIRES_ACTION', 'IN_DOUBT')`,
);

const INTENDED = statement(
  'payments.intended',
  `SELECT provider, transaction_id AS "transactionId", created_at AS "intendedAt",
     extract(epoch FROM now() - created_at)::float8 * 1000 AS "ageMs"
   FROM payments WHERE order_id = $1`,
);

/** A part that goes back as store credit cannot go back to the card any more. */
const CREDIT = expectingRows(
  'payments.credit',
  '$3',
  `UPDATE payments SET refund_reserved = refund_reserved + $2, credited_amount = credited_amount + $2, updated_at = now()
   WHERE order_id = $1 AND state = 'CAPTURED' AND refund_reserved + $2 <= ${CAPTURED}`,
);

const DISPUTE = statement(
  'payments.dispute',
  `UPDATE payments SET dispute = $2, updated_at = now() WHERE order_id = $1`,
);

const LOCK = statement(
  'payments.lock',
  `SELECT ${COLUMNS} FROM payments WHERE order_id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
);

const FIND = statement('payments.find', `SELECT ${COLUMNS} FROM payments WHERE order_id = ANY($1::uuid[])`);

@Injectable()
export class PaymentRepository {
  /** The intent, stored before the provider is called. */
  insert(tx: Tx, payments: readonly NewPayment[]): void {
    tx.send(...INSERT.over(payments));
  }

  async move(tx: Tx, to: PaymentState, moves: readonly PaymentMove[]): Promise<Set<string>> {
    if (moves.length === 0) return new Set();
    const rows = await tx.query<{ id: string }>(MOVE, moveParams(to, moves));
    return new Set(rows.map((row) => row.id));
  }

  /** The same without an answer, for callers to whom a payment that has already moved is as good. */
  settle(tx: Tx, to: PaymentState, moves: readonly PaymentMove[]): void {
    if (moves.length > 0) tx.send(MOVE, moveParams(to, moves));
  }

  /** The amount is blocked on the card until then, and nothing was taken. */
  authorize(tx: Tx, known: readonly { orderId: string; transactionId: string; until: string }[]): void {
    if (known.length === 0) return;
    tx.send(AUTHORIZE, [
      known.map(({ orderId }) => orderId),
      known.map(({ transactionId }) => transactionId),
      known.map(({ until }) => until),
    ]);
  }

  /** The provider has given the charge an id but no result: from now on it is looked up by that id. */
  async noteTransaction(db: Queryable, known: readonly { orderId: string; transactionId: string }[]): Promise<void> {
    if (known.length === 0) return;
    await db.query(NOTE_TRANSACTION, [known.map((each) => each.orderId), known.map((each) => each.transactionId)]);
  }

  async intended(db: Queryable, orderId: string): Promise<IntendedCharge | undefined> {
    const [row] = await db.query<IntendedCharge>(INTENDED, [orderId]);
    return row;
  }

  /** Of what was captured, so much is paid back as store credit. The row must be locked and have it left. */
  credit(tx: Tx, orderId: string, amount: number): void {
    if (amount > 0) tx.expect(CREDIT, [orderId, amount, 1]);
  }

  /** As the provider has it now. The row must be locked. */
  dispute(tx: Tx, orderId: string, dispute: Dispute): void {
    tx.send(DISPUTE, [orderId, JSON.stringify(dispute)]);
  }

  async ofOrders(db: Queryable, orderIds: readonly string[]): Promise<Map<string, PaymentRow>> {
    return byOrder(await db.query<PaymentRow>(FIND, [orderIds]));
  }

  async lock(tx: Tx, orderIds: readonly string[]): Promise<Map<string, PaymentRow>> {
    return byOrder(await tx.query<PaymentRow>(LOCK, [orderIds]));
  }
}

function byOrder(rows: readonly PaymentRow[]): Map<string, PaymentRow> {
  return new Map(rows.map((row) => [row.orderId, row]));
}

/**
 * Only a refund that the provider took back reopens a REFUNDED payment, together with its amount (refunds.take-back), and
 * only a capture moves an AUTHORIZED one to CAPTURED, which says how much it took (authorizations.capture).
 */
function moveParams(to: PaymentState, moves: readonly PaymentMove[]): unknown[] {
  return [
    to,
    guardOf(PAYMENT_TRANSITIONS, to, ['REFUNDED', 'AUTHORIZED']),
    moves.map((move) => move.orderId),
    moves.map((move) => move.transactionId ?? null),
    moves.map((move) => move.declineCode ?? null),
    moves.map((move) => (move.nextAction ? JSON.stringify(move.nextAction) : null)),
  ];
}
