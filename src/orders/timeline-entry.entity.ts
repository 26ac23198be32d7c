import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('order_timeline')
export class TimelineEntry {
  @PrimaryColumn('uuid', { name: 'order_id' })
  orderId!: string;
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  id!: number;
  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  at!: Date;
  @Column('text')
  kind!: string;
  @Column('jsonb', { default: {} })
  detail!: Record<string, unknown>;
}
