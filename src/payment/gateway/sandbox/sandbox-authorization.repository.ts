import { statement } from '../../../platform/postgres/statement.js';
import type { Tx } from '../../../platform/postgres/tx.js';
import { type Charge, CHARGE_COLUMNS, type ChargeRow, first, toCharge } from './sandbox-charge.repository.js';

const CAPTURE = statement(
  'sandbox-authorization-capture',
  `UPDATE sandbox.charges SET state = 'CAPTURED', captured_amount = $2, capture_key = $3, expires_at = NULL, updated_at = now()
   WHERE id = $1 AND state = 'AUTHORIZED' RETURNING ${CHARGE_COLUMNS}`,
);
const VOID = statement(
  'sandbox-authorization-void',
  `UPDATE sandbox.charges SET state = 'VOIDED', expires_at = NULL, updated_at = now()
   WHERE id = $1 AND state = 'AUTHORIZED' RETURNING ${CHARGE_COLUMNS}`,
);
const EXPIRED = `UPDATE sandbox.charges SET state = 'EXPIRED', expires_at = NULL, updated_at = now()`;
const EXPIRE = statement(
  'sandbox-authorization-expire',
  `${EXPIRED} WHERE id = $1 AND state = 'AUTHORIZED' AND expires_at <= now() RETURNING ${CHARGE_COLUMNS}`,
);
const EXPIRE_DUE = statement(
  'sandbox-authorization-expire-due',
  `${EXPIRED} WHERE id IN (SELECT id FROM sandbox.charges WHERE expires_at <= now()
                 ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING ${CHARGE_COLUMNS}`,
);

export async function captureAuthorized(tx: Tx, id: string, amount: number, key: string): Promise<Charge | undefined> {
  return first(await tx.query<ChargeRow>(CAPTURE, [id, amount, key]));
}

export async function voidAuthorized(tx: Tx, id: string): Promise<Charge | undefined> {
  return first(await tx.query<ChargeRow>(VOID, [id]));
}

/** If its time is over. Nobody has to wait for the job to notice. */
export async function expireAuthorized(tx: Tx, id: string): Promise<Charge | undefined> {
  return first(await tx.query<ChargeRow>(EXPIRE, [id]));
}

export async function expireDueAuthorizations(tx: Tx, limit: number): Promise<Charge[]> {
  return (await tx.query<ChargeRow>(EXPIRE_DUE, [limit])).map(toCharge);
}
