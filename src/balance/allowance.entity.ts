import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often a coupon may be redeemed by everybody, or a coupon or SKU be had by one customer. */
@Entity('allowances')
export class AllowanceEntity {
  @PrimaryColumn('text')
  key!: string;

  /** A hash that distinguishes customers; null if the allowance is shared by everybody, and after an erasure. */
  @Column('text', { nullable: true })
  customer!: string | null;

  /** Null: without a limit. */
  @Column('integer', { nullable: true })
  allowed!: number | null;

  @Column('integer', { default: 0 })
  held!: number;

  @Column('integer', { default: 0 })
  taken!: number;

  /** The highest fencing token that has written it. */
  @Column('bigint', { default: 0 })
  fence!: number;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
