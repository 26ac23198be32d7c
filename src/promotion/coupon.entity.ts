import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The rules of a coupon. Its allowance says how often it may be redeemed and how often it was. */
@Entity('coupons')
export class CouponEntity {
  @PrimaryColumn('text')
  code!: string;

  /** In hundredths of a percent. A coupon has either a percentage or an amount. */
  @Column('integer', { name: 'basis_points', nullable: true })
  basisPoints!: number | null;

  @Column('bigint', { name: 'amount_off', nullable: true })
  amountOff!: number | null;

  /** The currency of the amounts. A coupon with a percentage and no currency is valid for all currencies. */
  @Column('char', { length: 3, nullable: true })
  currency!: string | null;

  @Column('integer', { name: 'max_per_customer', nullable: true })
  maxPerCustomer!: number | null;

  /** The minimum price of all items together, before discounts. */
  @Column('bigint', { name: 'minimum_amount', nullable: true })
  minimumAmount!: number | null;

  @Column('timestamptz', { name: 'starts_at', nullable: true })
  startsAt!: Date | null;

  @Column('timestamptz', { name: 'ends_at', nullable: true })
  endsAt!: Date | null;

  /** The coupon applies to these SKUs and to the SKUs of the group; with neither, to everything. */
  @Column('text', { array: true, nullable: true })
  skus!: string[] | null;

  @Column('text', { name: 'sku_group', nullable: true })
  group!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
