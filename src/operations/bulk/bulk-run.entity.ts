import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Transitions } from '../../common/state-machine.js';
import type { BulkAction } from './bulk-action.js';
import type { BulkFilter, BulkPreview } from './bulk-run.dto.js';

export const BULK_STATES = ['PLANNED', 'RUNNING', 'STOPPED', 'COMPLETED', 'DISCARDED'] as const;
export type BulkState = (typeof BULK_STATES)[number];

/** PLANNED is the dry run: the items are listed and nothing is done. A stopped run can be started again. */
export const BULK_TRANSITIONS: Transitions<BulkState> = {
  PLANNED: ['RUNNING', 'DISCARDED'],
  RUNNING: ['STOPPED', 'COMPLETED'],
  STOPPED: ['RUNNING'],
  COMPLETED: [],
  DISCARDED: [],
};

/** BEGUN: the verb may have taken effect. The next driver of the run finds out. */
export const ITEM_STATES = ['PENDING', 'BEGUN', 'DONE', 'REFUSED', 'FAILED'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

@Entity('bulk_runs')
export class BulkRun {
  @PrimaryColumn('uuid')
  id!: string;
  @Column('text')
  action!: BulkAction;
  @Column('jsonb')
  filter!: BulkFilter;
  @Column('text')
  state!: BulkState;
  @Column('double precision', { name: 'per_second' })
  perSecond!: number;
  @Column('text')
  actor!: string;
  @Column('text')
  reason!: string;
  @Column('jsonb')
  preview!: BulkPreview;
  @Column('integer')
  total!: number;
  /** The filter matches more subjects than one run may touch. */
  @Column('boolean', { name: 'is_truncated', default: false })
  isTruncated!: boolean;
  @Column('integer', { default: 0 })
  done!: number;
  @Column('integer', { default: 0 })
  refused!: number;
  @Column('integer', { default: 0 })
  failed!: number;
  /** Why the run stopped by itself. */
  @Column('text', { name: 'stop_reason', nullable: true })
  stopReason!: string | null;
  /** The instance that drives it, until the lease ends. */
  @Column('text', { nullable: true })
  owner!: string | null;
  @Column('integer', { default: 0 })
  epoch!: number;
  @Column('timestamptz', { name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;
  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt!: Date | null;
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}

@Entity('bulk_items')
export class BulkItem {
  @PrimaryColumn('uuid', { name: 'run_id' })
  runId!: string;
  @PrimaryColumn('integer')
  position!: number;
  @Column('text')
  subject!: string;
  @Column('uuid', { name: 'order_id', nullable: true })
  orderId!: string | null;
  @Column('text', { default: 'PENDING' })
  state!: ItemState;
  /** The result, in words. */
  @Column('text', { nullable: true })
  result!: string | null;
  @Column('timestamptz', { nullable: true })
  at!: Date | null;
  @ManyToOne(() => BulkRun, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'run_id' })
  run!: BulkRun;
}
