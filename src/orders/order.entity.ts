import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CreditShare, Discount } from '../common/totals.js';
import type { OrderState } from './order-state.js';

/** A price that was agreed on: it never changes after the order exists. */
export interface OrderLine {
  readonly sku: string;
  readonly name: string;
  readonly quantity: number;
  readonly unitAmount: number;
  readonly amount: number;
}

/** Further members depend on the code, as in the problem that refused the checkout. */
export interface OrderRejection {
  readonly code: string;
  readonly detail: string;
  /** As it is stored: the reservation that it names was made by the checkout. */
  readonly isHoldNew?: boolean | undefined;
  readonly [member: string]: unknown;
}

@Entity('orders')
export class Order {
  @PrimaryColumn('uuid')
  id!: string;
  @Column('text')
  state!: OrderState;
  @Column('char', { length: 3 })
  currency!: string;
  @Column('bigint')
  total!: number;
  @Column('jsonb')
  lines!: OrderLine[];
  /** What coupons have taken off; the total is what is left. */
  @Column('jsonb', { nullable: true })
  discounts!: Discount[] | null;
  /** What accounts pay of the total. */
  @Column('jsonb', { nullable: true })
  credit!: CreditShare[] | null;
  /** It has more than stock and a charge to give back when it is cancelled, and has not done so: credit, coupons, limits. */
  @Column('boolean', { name: 'has_claims', nullable: true })
  hasClaims!: boolean | null;
  @Column('text', { name: 'customer_id', nullable: true })
  customerId!: string | null;
  @Column('text', { name: 'customer_email', nullable: true })
  customerEmail!: string | null;
  @Column('uuid', { name: 'saga_id' })
  sagaId!: string;
  @Column('uuid', { name: 'reservation_id' })
  reservationId!: string;
  @Column('jsonb', { nullable: true })
  rejection!: OrderRejection | null;
  @Column('uuid', { name: 'cancelled_by', nullable: true })
  cancelledBy!: string | null;
  @Column('bytea', { name: 'idempotency_digest', nullable: true })
  idempotencyDigest!: Buffer | null;
  @Column('jsonb', { default: {} })
  metadata!: Record<string, unknown>;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
