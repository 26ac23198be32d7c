import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CreditHoldState } from './credit-hold-state.js';

/** Store credit, or a gift card: money that a customer has with the shop. */
@Entity('accounts')
export class AccountEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('char', { length: 3 })
  currency!: string;

  /** The customer whose JWT may spend it. */
  @Column('text', { name: 'customer_id', nullable: true })
  customerId!: string | null;

  /** For a gift card: the keyed hash of its code. */
  @Column('bytea', { name: 'code_hash', nullable: true })
  codeHash!: Buffer | null;

  /** The sum of its entries. */
  @Column('bigint', { default: 0 })
  balance!: number;

  /** The part of the balance that is held for orders that are not confirmed yet. */
  @Column('bigint', { default: 0 })
  held!: number;

  /** The highest fencing token that has written the balance. */
  @Column('bigint', { default: 0 })
  fence!: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}

export const ENTRY_KINDS = ['ADJUSTMENT', 'PURCHASE', 'REFUND'] as const;

/** A permanent change of a balance. Entries are never changed: they are the books. */
@Entity('account_entries')
export class AccountEntryEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  kind!: (typeof ENTRY_KINDS)[number];

  @Column('bigint')
  amount!: number;

  @Column('text')
  reason!: string;

  @Column('text')
  actor!: string;

  @Column('uuid', { name: 'order_id', nullable: true })
  orderId!: string | null;

  /** The refund or cancellation that it belongs to. An account gets one entry for each. */
  @Column('uuid', { name: 'refund_id', nullable: true })
  refundId!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}

/** The part of an order that an account pays. */
@Entity('credit_holds')
export class CreditHoldEntity {
  @PrimaryColumn('uuid', { name: 'order_id' })
  orderId!: string;

  @PrimaryColumn('text', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  state!: CreditHoldState;

  @Column('bigint')
  amount!: number;

  /** The part of the taken amount that refunds and the cancellation have given back. */
  @Column('bigint', { name: 'refunded_amount', default: 0 })
  refundedAmount!: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
