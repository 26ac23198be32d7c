import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the provider's books have been compared with ours, whichever instance did it. */
@Entity('reconciliations')
export class Reconciliation {
  @PrimaryColumn('text')
  provider!: string;
  @Column('timestamptz', { name: 'reconciled_until' })
  reconciledUntil!: Date;
}
