import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Money that was captured although its order had been given up, and that is paid back. */
@Entity('stray_charges')
export class StrayChargeEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  provider!: string;

  @Column('text', { name: 'transaction_id' })
  transactionId!: string;

  @Column('uuid', { name: 'order_id' })
  orderId!: string;

  @Column('bigint')
  amount!: number;

  @Column('bigint', { name: 'refunded_amount', default: 0 })
  refundedAmount!: number;

  @Column('char', { length: 3 })
  currency!: string;

  /** The saga that pays it back. */
  @Column('uuid', { name: 'saga_id' })
  sagaId!: string;

  /** The provider's refund that paid it back. */
  @Column('text', { name: 'provider_refund_id', nullable: true })
  providerRefundId!: string | null;

  /** How often the provider took that refund back after it had settled. */
  @Column('integer', { name: 'late_failures', default: 0 })
  lateFailures!: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
