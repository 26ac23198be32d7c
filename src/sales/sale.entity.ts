import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

@Entity('sales')
export class SaleEntity {
  @PrimaryColumn('text')
  id!: string;
  @Column('text', { name: 'sku_group', nullable: true })
  group!: string | null;
  @Column('text', { array: true, nullable: true })
  skus!: string[] | null;
  @Column('timestamptz', { name: 'starts_at' })
  startsAt!: Date;
  @Column('timestamptz', { name: 'ends_at', nullable: true })
  endsAt!: Date | null;
  @Column('double precision', { name: 'admit_per_second' })
  admitPerSecond!: number;
  @Column('integer', { name: 'max_active' })
  maxActive!: number;
  @Column('integer', { name: 'ticket_ttl_seconds' })
  ticketTtlSeconds!: number;
  /** Decides the draw: known to nobody before the start. */
  @Column('text')
  seed!: string;
  @Column('timestamptz', { name: 'paused_at', nullable: true })
  pausedAt!: Date | null;
  /** By an operator. */
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;
  /** Nothing was left and nothing was held. */
  @Column('timestamptz', { name: 'sold_out_at', nullable: true })
  soldOutAt!: Date | null;
  /** When those who had come before the start were given their places. */
  @Column('timestamptz', { name: 'drawn_at', nullable: true })
  drawnAt!: Date | null;
  /** Until when the rate of admission has been used. */
  @Column('timestamptz', { name: 'advanced_at', nullable: true })
  advancedAt!: Date | null;
  @Column('timestamptz', { name: 'round_at', nullable: true })
  roundAt!: Date | null;
  /** Tickets that were given out. */
  @Column('integer', { default: 0 })
  issued!: number;
  /** Places of the queue that were admitted: whoever has one of them was called. */
  @Column('integer', { default: 0 })
  admitted!: number;
  /** Of those, who may still buy, as of the last round. */
  @Column('integer', { default: 0 })
  active!: number;
  /** Of those, who have bought, as of the last round. */
  @Column('integer', { default: 0 })
  bought!: number;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}

@Entity('sale_tickets')
export class SaleTicketEntity {
  @PrimaryColumn('uuid')
  id!: string;
  @Column('text', { name: 'sale_id' })
  saleId!: string;
  /** From 1, in order of arrival. */
  @Column('integer')
  arrival!: number;
  /** In the queue, from 1; null until the draw. */
  @Column('integer', { nullable: true })
  place!: number | null;
  @Column('text', { name: 'customer_id', nullable: true })
  customerId!: string | null;
  /** Normalised. */
  @Column('text', { nullable: true })
  email!: string | null;
  @Column('timestamptz', { name: 'admitted_at', nullable: true })
  admittedAt!: Date | null;
  @Column('timestamptz', { name: 'admitted_until', nullable: true })
  admittedUntil!: Date | null;
  /** What it was used for last: it may be used again when that was released or has expired. */
  @Column('uuid', { name: 'reservation_id', nullable: true })
  reservationId!: string | null;
  @Column('timestamptz', { name: 'bought_at', nullable: true })
  boughtAt!: Date | null;
  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}

@Entity('sale_audit')
export class SaleAuditEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;
  @Column('text', { name: 'sale_id' })
  saleId!: string;
  @Column('text')
  verb!: string;
  @Column('text')
  actor!: string;
  @Column('jsonb')
  detail!: Record<string, unknown>;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
