import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/postgres/entity-columns.js';
import { statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import { type Coupon, COUPON_MEMBERS } from './coupon.js';
import { CouponEntity } from './coupon.entity.js';

export type StoredCoupon = Coupon & Readonly<Pick<CouponEntity, 'createdAt' | 'updatedAt'>>;

const COLUMNS = columnsOf(CouponEntity, [...COUPON_MEMBERS, 'createdAt', 'updatedAt']);

const FIND = statement('coupon.find', `SELECT ${COLUMNS} FROM coupons WHERE code = ANY($1::text[])`);

/** `isNew`: a row that this statement has inserted has no former version. */
const PUT = statement(
  'coupon.put',
  `INSERT INTO coupons (code, basis_points, amount_off, currency, max_per_customer, minimum_amount, starts_at, ends_at, skus, sku_group)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text[], $10)
   ON CONFLICT (code) DO UPDATE SET basis_points = excluded.basis_points, amount_off = excluded.amount_off,
     currency = excluded.currency, max_per_customer = excluded.max_per_customer, minimum_amount = excluded.minimum_amount,
     starts_at = excluded.starts_at, ends_at = excluded.ends_at, skus = excluded.skus, sku_group = excluded.sku_group,
     updated_at = now()
   RETURNING ${COLUMNS}, xmax = 0 AS "isNew"`,
);

@Injectable()
export class CouponRepository {
  async find(db: Queryable, codes: readonly string[]): Promise<Map<string, StoredCoupon>> {
    const rows = await db.query<StoredCoupon & Record<string, unknown>>(FIND, [codes]);
    return new Map(rows.map((row) => [row.code, row]));
  }

  async put(tx: Tx, coupon: Coupon): Promise<StoredCoupon & { isNew: boolean }> {
    const { code, basisPoints, amountOff, currency, maxPerCustomer, minimumAmount, startsAt, endsAt } = coupon;
    const [row] = await tx.query<StoredCoupon & { isNew: boolean }>(PUT, [
      ...[code, basisPoints, amountOff, currency, maxPerCustomer, minimumAmount, startsAt, endsAt],
      ...[coupon.skus, coupon.group],
    ]);
    if (!row) throw new Error('the coupon was not written');
    return row;
  }
}
