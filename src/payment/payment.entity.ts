import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NextAction } from './gateway/payment-gateway.js';
import type { PaymentState } from './payment-state.js';

@Entity('payments')
export class PaymentEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'order_id' })
  orderId!: string;

  @Column('text')
  provider!: string;

  @Column('text')
  state!: PaymentState;

  @Column('bigint')
  amount!: number;

  /** The sum of requested refunds, settled or not. The rest of the amount may still be requested. */
  @Column('bigint', { name: 'refund_reserved', default: 0 })
  refundReserved!: number;

  /** What the provider has paid back. */
  @Column('bigint', { name: 'refunded_amount', default: 0 })
  refundedAmount!: number;

  /** What was paid back as store credit instead. */
  @Column('bigint', { name: 'credited_amount', default: 0 })
  creditedAmount!: number;

  @Column('char', { length: 3 })
  currency!: string;

  @Column('text')
  method!: string;

  @Column('text', { name: 'idempotency_key' })
  idempotencyKey!: string;

  @Column('text', { name: 'transaction_id', nullable: true })
  transactionId!: string | null;

  @Column('text', { name: 'decline_code', nullable: true })
  declineCode!: string | null;

  @Column('jsonb', { name: 'next_action', nullable: true })
  nextAction!: NextAction | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
