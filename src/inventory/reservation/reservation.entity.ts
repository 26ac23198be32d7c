import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import type { HoldTerms, ReservationState } from './reservation.js';

@Entity('reservations')
export class ReservationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  state!: ReservationState;

  @Column('char', { length: 3 })
  currency!: string;

  @Column('bigint')
  total!: number;

  @Column('integer', { default: 0 })
  alternative!: number;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('integer', { name: 'extended_seconds', default: 0 })
  extendedSeconds!: number;

  @Column('uuid', { name: 'order_id', nullable: true })
  orderId!: string | null;

  /** The saga that uses the hold. The clean-up skips pinned holds. */
  @Column('uuid', { name: 'pinned_by', nullable: true })
  pinnedBy!: string | null;

  /** The customer, proven by a JWT when the hold was made. */
  @Column('text', { name: 'customer_id', nullable: true })
  customerId!: string | null;

  /** What coupons take off and what customers may have, as it was agreed when the hold was made; null for a plain hold. */
  @Column('jsonb', { nullable: true })
  terms!: HoldTerms | null;

  /** Its claims are counted as held: true from the hold to its end. */
  @Column('boolean', { name: 'has_claims', nullable: true })
  hasClaims!: boolean | null;

  /** When the clean-up may release it, for a hold that is not pinned. Maintained by a trigger. */
  @Column('timestamptz', { name: 'sweep_at', nullable: true })
  sweepAt!: Date | null;

  /** When it was released or expired. Maintained by a trigger. */
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  @OneToMany(() => ReservationLineEntity, (line) => line.reservation)
  lines!: ReservationLineEntity[];
}

/** A part of an allowance (a coupon, what a customer may have of a SKU) that a hold has. */
@Entity('reservation_claims')
export class ReservationClaimEntity {
  @PrimaryColumn('uuid', { name: 'reservation_id' })
  reservationId!: string;

  @PrimaryColumn('text')
  key!: string;

  @Column('integer')
  quantity!: number;

  @ManyToOne(() => ReservationEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'reservation_id' })
  reservation!: ReservationEntity;
}

@Entity('reservation_lines')
export class ReservationLineEntity {
  @PrimaryColumn('uuid', { name: 'reservation_id' })
  reservationId!: string;

  @PrimaryColumn('text')
  sku!: string;

  @Column('text')
  name!: string;

  @Column('integer')
  quantity!: number;

  @Column('bigint', { name: 'unit_amount' })
  unitAmount!: number;

  @ManyToOne(() => ReservationEntity, (reservation) => reservation.lines, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'reservation_id' })
  reservation!: ReservationEntity;
}
