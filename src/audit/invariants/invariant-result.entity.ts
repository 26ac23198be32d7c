import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A run of equal results of one check: as long as nothing changes, the row only grows older. */
@Entity('invariant_results')
export class InvariantResultEntity {
  @PrimaryColumn('uuid')
  id!: string;
  @Column('text')
  name!: string;
  @Column('boolean', { name: 'is_ok' })
  isOk!: boolean;
  /** How many violations were found, of which the first are stored. */
  @Column('integer')
  count!: number;
  @Column('jsonb')
  violations!: Record<string, unknown>[];
  @Column('timestamptz', { name: 'first_at' })
  firstAt!: Date;
  @Column('timestamptz', { name: 'last_at' })
  lastAt!: Date;
  /** How many checks had this result. */
  @Column('integer', { default: 1 })
  rounds!: number;
}
