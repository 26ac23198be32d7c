import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Until when the provider's ledger has been compared with ours, by any instance. */
@Entity('reconciliations')
export class Reconciliation {
  @PrimaryColumn('text')
  provider!: string;
  @Column('timestamptz', { name: 'reconciled_until' })
  reconciledUntil!: Date;
}
