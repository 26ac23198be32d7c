import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NextAction } from './gateway/payment-gateway.js';
import type { Dispute } from './dispute.js';
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

  /** What the card pays: charged at once, or authorised first. */
  @Column('bigint')
  amount!: number;

  /** Of an authorisation: what was captured of it. NULL where all of it was charged at once. Read by `capturedOf`. */
  @Column('bigint', { name: 'captured_amount', nullable: true })
  capturedAmount!: number | null;

  /** When the authorisation ends, until it is captured or its order is cancelled. NULL where there is none. */
  @Column('timestamptz', { name: 'authorized_until', nullable: true })
  authorizedUntil!: Date | null;

  /** When it was announced that the authorisation ends soon. */
  @Column('timestamptz', { name: 'expiry_announced_at', nullable: true })
  expiryAnnouncedAt!: Date | null;

  /** The saga that captures or ends the authorisation: no other may, as long as it is open. */
  @Column('uuid', { name: 'ended_by', nullable: true })
  endedBy!: string | null;

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

  /** The customer's bank wants the money back. */
  @Column('jsonb', { nullable: true })
  dispute!: Dispute | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
