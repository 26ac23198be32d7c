import { Column, Entity, PrimaryColumn } from 'typeorm';

export const ACTION_VERBS = [
  'retry',
  'compensate',
  'resolve',
  'refund',
  'cancel',
  'capture',
  'replay',
  'discard',
  'adjust',
  'erase',
  'start',
  'stop',
  'create',
  'change',
  'pause',
  'resume',
  'end',
] as const;
export type ActionVerb = (typeof ACTION_VERBS)[number];

export const SUBJECT_KINDS = [
  'saga',
  'order',
  'sku',
  'callback',
  'delivery',
  'dead-letter',
  'customer',
  'bulk-run',
  'sale',
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** What an operator did, written with the effect itself. */
@Entity('operator_actions')
export class OperatorAction {
  @PrimaryColumn('uuid')
  id!: string;
  @Column('text')
  verb!: ActionVerb;
  @Column('text', { name: 'subject_kind' })
  subjectKind!: SubjectKind;
  @Column('text')
  subject!: string;
  @Column('uuid', { name: 'order_id', nullable: true })
  orderId!: string | null;
  @Column('text')
  actor!: string;
  @Column('text')
  reason!: string;
  @Column('jsonb', { default: {} })
  detail!: Record<string, unknown>;
  /** The bulk run that it was part of. */
  @Column('uuid', { name: 'run_id', nullable: true })
  runId!: string | null;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
