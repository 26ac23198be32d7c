import { Column, Entity, PrimaryColumn } from 'typeorm';

/** That somebody's data was erased, by whom and why, without saying whose: the hash only answers a question about a known id. */
@Entity('erasures')
export class Erasure {
  @PrimaryColumn('uuid')
  id!: string;
  @Column('text', { name: 'customer_hash' })
  customerHash!: string;
  @Column('text')
  actor!: string;
  @Column('text')
  reason!: string;
  @Column('integer')
  orders!: number;
  @Column('integer')
  reservations!: number;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
