import { Column, Entity, PrimaryColumn } from 'typeorm';

export const INSTANCE_STATES = ['READY', 'DEGRADED', 'UNAVAILABLE', 'DRAINING'] as const;
export type InstanceState = (typeof INSTANCE_STATES)[number];

/** A process of the service, as its last heartbeat described it. */
@Entity('instances')
export class Instance {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  host!: string;

  @Column('integer')
  pid!: number;

  /** The version of the code that it runs. */
  @Column('text')
  release!: string;

  @Column('text')
  state!: InstanceState;

  @Column('timestamptz', { name: 'started_at' })
  startedAt!: Date;

  @Column('timestamptz', { name: 'seen_at' })
  seenAt!: Date;
}
