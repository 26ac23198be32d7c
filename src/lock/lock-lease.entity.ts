import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Describes the table for the drift check; the driver talks to it through the functions of its migration. */
@Entity('lock_leases')
export class LockLeaseEntity {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'lock_leases_pkey' })
  key!: string;

  @Column({ type: 'text' })
  owner!: string;

  @Column({ type: 'bigint' })
  token!: number;

  @Column({ type: 'timestamptz', name: 'acquired_at' })
  acquiredAt!: Date;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt!: Date;

  @Column({ type: 'text', array: true, default: () => `'{}'` })
  waiting!: string[];
}
