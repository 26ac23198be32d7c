import { Injectable } from '@nestjs/common';
import { guardOf } from '../common/state-machine.js';
import { literals, statement } from '../platform/postgres/statement.js';
import type { Tx } from '../platform/postgres/tx.js';
import { PAYMENT_TRANSITIONS } from './payment-state.js';

/** Which authorisations may enter a state, by the table. A payment that was charged at once has its own moves. */
const ENTERING = (to: 'VOIDED' | 'EXPIRED') => literals(guardOf(PAYMENT_TRANSITIONS, to));

const CAPTURE = statement(
  'authorizations.capture',
  `UPDATE payments SET state = 'CAPTURED', captured_amount = taken.amount, authorized_until = NULL, updated_at = now()
   FROM unnest($1::uuid[], $2::int8[]) AS taken (order_id, amount)
   WHERE payments.order_id = taken.order_id AND state = 'AUTHORIZED' RETURNING payments.order_id AS id`,
);
const VOID = statement(
  'authorizations.void',
  `UPDATE payments SET state = 'VOIDED', authorized_until = NULL, updated_at = now()
   WHERE order_id = ANY($1::uuid[]) AND state IN (${ENTERING('VOIDED')}) RETURNING order_id AS id`,
);
/** It keeps its end, so that it is found: goods were promised for it. */
const EXPIRE = statement(
  'authorizations.expire',
  `UPDATE payments SET state = 'EXPIRED', updated_at = now()
   WHERE order_id = ANY($1::uuid[]) AND state IN (${ENTERING('EXPIRED')}) RETURNING order_id AS id`,
);
const FORGET = statement(
  'authorizations.forget',
  `UPDATE payments SET authorized_until = NULL, updated_at = now() WHERE order_id = ANY($1::uuid[]) AND authorized_until IS NOT NULL`,
);
/** No other saga may capture or end it as long as this one is open. The row must be locked. */
const CLAIM = statement(
  'authorizations.claim',
  `UPDATE payments SET ended_by = claim.saga_id, updated_at = now()
   FROM unnest($1::uuid[], $2::uuid[]) AS claim (order_id, saga_id) WHERE payments.order_id = claim.order_id`,
);

type Landed = Promise<Set<string>>;

/** Moves of payments that are AUTHORIZED. Each says for which orders it landed. */
@Injectable()
export class AuthorizationRepository {
  capture(tx: Tx, captures: readonly { orderId: string; amount: number }[]): Landed {
    return landed(tx, CAPTURE, [captures.map(({ orderId }) => orderId), captures.map(({ amount }) => amount)]);
  }

  /** Ended by us. */
  void(tx: Tx, orderIds: readonly string[]): Landed {
    return landed(tx, VOID, [orderIds]);
  }

  /** Its time is over, or the provider has ended it. */
  expire(tx: Tx, orderIds: readonly string[]): Landed {
    return landed(tx, EXPIRE, [orderIds]);
  }

  /** The orders are cancelled: nobody has to look at what became of their authorisations. */
  forget(tx: Tx, orderIds: readonly string[]): void {
    if (orderIds.length > 0) tx.send(FORGET, [orderIds]);
  }

  claim(tx: Tx, claims: readonly { orderId: string; sagaId: string }[]): void {
    if (claims.length > 0) tx.send(CLAIM, [claims.map(({ orderId }) => orderId), claims.map(({ sagaId }) => sagaId)]);
  }
}

async function landed(tx: Tx, move: ReturnType<typeof statement>, params: unknown[]): Landed {
  const rows = await tx.query<{ id: string }>(move, params);
  return new Set(rows.map(({ id }) => id));
}
