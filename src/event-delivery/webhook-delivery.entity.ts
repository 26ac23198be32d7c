import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DeliveryState } from './delivery-state.js';

@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryColumn('uuid')
  id!: string;
  @Column({ type: 'bigint', insert: false, update: false })
  position!: number;
  @Column('uuid', { name: 'endpoint_id' })
  endpointId!: string;
  @Column('uuid', { name: 'event_id' })
  eventId!: string;
  @Column('text')
  type!: string;
  @Column('text')
  subject!: string;
  /** Read only to be sent: a list of deliveries does without it. */
  @Column('text', { select: false })
  body!: string;
  /** The `traceparent` of what the event belongs to. */
  @Column('text', { nullable: true, select: false })
  trace!: string | null;
  @Column('text', { default: 'PENDING' })
  state!: DeliveryState;
  @Column('integer', { default: 0 })
  attempts!: number;
  @Column('integer', { name: 'last_status', nullable: true })
  lastStatus!: number | null;
  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;
  @Column('timestamptz', { name: 'last_attempt_at', nullable: true })
  lastAttemptAt!: Date | null;
  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt!: Date | null;
  @Column('timestamptz', { name: 'delivered_at', nullable: true })
  deliveredAt!: Date | null;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
