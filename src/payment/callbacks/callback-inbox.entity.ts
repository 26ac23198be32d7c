import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CallbackEvent } from '../gateway/payment-gateway.js';

export const INBOX_STATES = ['RECEIVED', 'PROCESSED', 'DEAD'] as const;
export type InboxState = (typeof INBOX_STATES)[number];

@Entity('webhook_inbox')
export class CallbackInboxEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  provider!: string;

  @Column('text', { name: 'event_id' })
  eventId!: string;

  @Column('text')
  type!: CallbackEvent['type'];

  @Column('text', { name: 'transaction_id' })
  transactionId!: string;

  /** As we understand it, not the raw body, which may contain more about a customer than we need. */
  @Column('jsonb')
  event!: CallbackEvent;

  /** The `traceparent` of the request that brought it. */
  @Column('text', { nullable: true })
  trace!: string | null;

  @Column('text', { default: 'RECEIVED' })
  state!: InboxState;

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column('timestamptz', { name: 'due_at', default: () => 'now()' })
  dueAt!: Date;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column('timestamptz', { name: 'received_at', default: () => 'now()' })
  receivedAt!: Date;

  @Column('timestamptz', { name: 'processed_at', nullable: true })
  processedAt!: Date | null;
}
