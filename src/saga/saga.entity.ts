import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { PhaseName, SagaState } from './saga-state.js';

@Entity('sagas')
export class Saga {
  @PrimaryColumn('uuid')
  id!: string;
  @Column('text')
  name!: string;
  @Column('integer')
  version!: number;
  @Column('text')
  state!: SagaState;
  @Column('text')
  subject!: string;
  @Column('integer')
  position!: number;
  @Column('text')
  phase!: PhaseName;
  @Column('json')
  data!: unknown;
  /** The members of `data` that have changed since the saga began. */
  @Column('json', { nullable: true })
  changes!: unknown;
  /** One entry per line, each line ended. */
  @Column('text', { name: 'log_lines', default: '' })
  logLines!: string;
  @Column('integer', { default: 0 })
  attempts!: number;
  @Column('json', { nullable: true })
  failure!: unknown;
  @Column('json', { nullable: true })
  outcome!: unknown;
  @Column('text', { nullable: true })
  owner!: string | null;
  @Column('integer', { default: 1 })
  epoch!: number;
  @Column('timestamptz', { name: 'due_at' })
  dueAt!: Date;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}

@Entity('saga_audit')
export class SagaAudit {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;
  @Column('uuid', { name: 'saga_id' })
  sagaId!: string;
  @Column('text')
  verb!: string;
  @Column('text')
  actor!: string;
  @Column('text')
  reason!: string;
  @Column('text', { name: 'from_state' })
  fromState!: SagaState;
  @Column('text', { name: 'to_state' })
  toState!: SagaState;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
