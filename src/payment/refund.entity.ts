import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RefundState } from './payment-state.js';

@Entity('refunds')
export class RefundEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'payment_id' })
  paymentId!: string;

  @Column('uuid', { name: 'order_id' })
  orderId!: string;

  @Column('text')
  state!: RefundState;

  @Column('bigint')
  amount!: number;

  @Column('char', { length: 3 })
  currency!: string;

  @Column('text')
  reason!: string;

  /** Part of the provider's key: a definite failure needs a new one. */
  @Column('integer', { default: 1 })
  attempt!: number;

  @Column('text', { name: 'provider_refund_id', nullable: true })
  providerRefundId!: string | null;

  @Column('text', { nullable: true })
  failure!: string | null;

  /** How often the provider took it back after it had settled. */
  @Column('integer', { name: 'late_failures', default: 0 })
  lateFailures!: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
