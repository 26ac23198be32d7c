import { Injectable } from '@nestjs/common';
import { statement } from '../infrastructure/database/statement.js';
import type { Queryable, Tx } from '../infrastructure/database/tx.js';

/** A captured charge that no payment of ours stands for. */
export interface StrayCharge {
  readonly id: string;
  readonly provider: string;
  readonly transactionId: string;
  readonly orderId: string;
  readonly amount: number;
  /** What the provider had paid back before we found it. */
  readonly refundedAmount: number;
  readonly currency: string;
  readonly sagaId: string;
}

/** Refuses what a payment of ours stands for, whoever believes that it is a stray. */
const INSERT = statement(
  'strays.insert',
  `INSERT INTO stray_charges (id, provider, transaction_id, order_id, amount, refunded_amount, currency, saga_id)
   SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::int8[], $6::int8[], $7::text[], $8::uuid[])
     AS stray (id, provider, transaction_id, order_id, amount, refunded_amount, currency, saga_id)
   WHERE NOT EXISTS (
     SELECT FROM payments WHERE payments.order_id = stray.order_id AND payments.transaction_id = stray.transaction_id
       AND payments.provider = stray.provider AND payments.state IN ('CAPTURED', 'REFUNDED'))
   ON CONFLICT (provider, transaction_id) DO NOTHING RETURNING id`,
);

const SETTLE = statement(
  'strays.settle',
  `UPDATE stray_charges SET refunded_amount = amount, updated_at = now() WHERE id = ANY($1::uuid[]) AND refunded_amount < amount RETURNING id`,
);

const FIND = statement(
  'strays.find',
  `SELECT amount, refunded_amount AS "refundedAmount" FROM stray_charges WHERE provider = $1 AND transaction_id = $2`,
);

@Injectable()
export class StrayChargeRepository {
  /** Answers the ids that are strays and new: each is somebody's to pay back once. */
  async insert(tx: Tx, strays: readonly StrayCharge[]): Promise<Set<string>> {
    const rows = await tx.query<{ id: string }>(INSERT, [
      strays.map((stray) => stray.id),
      strays.map((stray) => stray.provider),
      strays.map((stray) => stray.transactionId),
      strays.map((stray) => stray.orderId),
      strays.map((stray) => stray.amount),
      strays.map((stray) => stray.refundedAmount),
      strays.map((stray) => stray.currency),
      strays.map((stray) => stray.sagaId),
    ]);
    return new Set(rows.map((row) => row.id));
  }

  async settle(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
    const rows = await tx.query<{ id: string }>(SETTLE, [ids]);
    return new Set(rows.map((row) => row.id));
  }

  async find(
    db: Queryable,
    provider: string,
    transactionId: string,
  ): Promise<Pick<StrayCharge, 'amount' | 'refundedAmount'> | undefined> {
    const [row] = await db.query<Pick<StrayCharge, 'amount' | 'refundedAmount'>>(FIND, [provider, transactionId]);
    return row;
  }
}
