import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/postgres/entity-columns.js';
import { statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import { StrayChargeEntity } from './stray-charge.entity.js';

const NEW = [
  'id',
  'provider',
  'transactionId',
  'orderId',
  'amount',
  'refundedAmount',
  'currency',
  'sagaId',
] as const satisfies readonly (keyof StrayChargeEntity)[];
const MEMBERS = [...NEW, 'providerRefundId'] as const satisfies readonly (keyof StrayChargeEntity)[];

/** A captured charge without a payment of ours. `refundedAmount` is what the provider had paid back before we found it. */
export type StrayCharge = Readonly<Pick<StrayChargeEntity, (typeof NEW)[number]>>;
export type StrayChargeRow = Readonly<Pick<StrayChargeEntity, (typeof MEMBERS)[number]>>;

/** Does not insert a charge that has a payment of ours, even if the caller considers it a stray. */
const INSERT = statement(
  'strays.insert',
  `INSERT INTO stray_charges (id, provider, transaction_id, order_id, amount, refunded_amount, currency, saga_id)
   SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::int8[], $6::int8[], $7::text[], $8::uuid[])
     AS stray (id, provider, transaction_id, order_id, amount, refunded_amount, currency, saga_id)
   WHERE NOT EXISTS (
     SELECT FROM payments WHERE payments.order_id = stray.order_id AND payments.transaction_id = stray.transaction_id
       AND payments.provider = stray.provider AND payments.state IN ('AUTHORIZED', 'CAPTURED', 'REFUNDED'))
   ON CONFLICT (provider, transaction_id) DO NOTHING RETURNING id`,
);

const SETTLE = statement(
  'strays.settle',
  `UPDATE stray_charges AS stray SET refunded_amount = amount, provider_refund_id = settled.provider_refund_id, updated_at = now()
   FROM unnest($1::uuid[], $2::text[]) AS settled (id, provider_refund_id)
   WHERE stray.id = settled.id AND refunded_amount < amount RETURNING stray.id`,
);

/**
 * Guarded by the provider's refund id, because a charge that has since been repaid has another one. Rows from before the
 * column existed have none.
 */
const TAKE_BACK = statement(
  'strays.take-back',
  `UPDATE stray_charges AS stray SET refunded_amount = refunded_amount - failed.amount, late_failures = late_failures + 1,
     provider_refund_id = NULL, saga_id = failed.saga_id, updated_at = now()
   FROM unnest($1::uuid[], $2::text[], $3::int8[], $4::uuid[]) AS failed (id, provider_refund_id, amount, saga_id)
   WHERE stray.id = failed.id AND refunded_amount = stray.amount
     AND coalesce(stray.provider_refund_id, failed.provider_refund_id) = failed.provider_refund_id
   RETURNING stray.id, late_failures AS "lateFailures"`,
);

const FIND = statement(
  'strays.find',
  `SELECT ${columnsOf(StrayChargeEntity, MEMBERS)} FROM stray_charges WHERE provider = $1 AND transaction_id = $2`,
);

@Injectable()
export class StrayChargeRepository {
  /** Returns the ids that are strays and new: the caller pays each of them back, once. */
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

  async settle(tx: Tx, settled: readonly { id: string; providerRefundId: string }[]): Promise<Set<string>> {
    const params = [settled.map(({ id }) => id), settled.map(({ providerRefundId }) => providerRefundId)];
    const rows = await tx.query<{ id: string }>(SETTLE, params);
    return new Set(rows.map((row) => row.id));
  }

  /** The settled refunds of these charges have failed: the named sagas pay them again. */
  async takeBack(
    tx: Tx,
    failed: readonly { id: string; providerRefundId: string; amount: number; sagaId: string }[],
  ): Promise<Map<string, number>> {
    const rows = await tx.query<{ id: string; lateFailures: number }>(TAKE_BACK, [
      failed.map(({ id }) => id),
      failed.map(({ providerRefundId }) => providerRefundId),
      failed.map(({ amount }) => amount),
      failed.map(({ sagaId }) => sagaId),
    ]);
    return new Map(rows.map(({ id, lateFailures }) => [id, lateFailures]));
  }

  async find(db: Queryable, provider: string, transactionId: string): Promise<StrayChargeRow | undefined> {
    const [row] = await db.query<StrayChargeRow>(FIND, [provider, transactionId]);
    return row;
  }
}
