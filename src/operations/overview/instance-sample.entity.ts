import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { InstanceSample } from './instance-sample.js';

@Entity('instance_samples')
export class InstanceSampleEntity {
  @PrimaryColumn('timestamptz')
  at!: Date;
  @PrimaryColumn('text', { name: 'instance_id' })
  instanceId!: string;
  /** The length of the sample. */
  @Column('double precision')
  seconds!: number;
  @Column('jsonb')
  sample!: InstanceSample;
}
