import { Column, Entity, PrimaryColumn } from 'typeorm';

export const DEAD_LETTER_STATES = ['OPEN', 'RETRIED', 'DISCARDED'] as const;
export type DeadLetterState = (typeof DEAD_LETTER_STATES)[number];

@Entity('dead_letters')
export class DeadLetter {
  @PrimaryColumn('uuid')
  id!: string;
  /** The message itself, so that one that is delivered again is recorded once. */
  @Column('text')
  source!: string;
  @Column('text', { name: 'message_id', nullable: true })
  messageId!: string | null;
  /** Null where it must not be stored. */
  @Column('text', { nullable: true })
  body!: string | null;
  @Column('text')
  code!: string;
  @Column('text')
  reason!: string;
  @Column('integer')
  deliveries!: number;
  @Column('text', { default: 'OPEN' })
  state!: DeadLetterState;
  @Column('uuid', { name: 'order_id', nullable: true })
  orderId!: string | null;
  @Column('text', { name: 'resolved_by', nullable: true })
  resolvedBy!: string | null;
  @Column('timestamptz', { name: 'resolved_at', nullable: true })
  resolvedAt!: Date | null;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
