import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { StockMovement } from './stock.repository.js';

/** The ledger of stock changes. Sales are not in it, because the committed reservations record them. */
@Entity('stock_movements')
export class StockMovementEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column('text')
  sku!: string;

  @Column('text')
  kind!: StockMovement['kind'];

  @Column('integer')
  delta!: number;

  @Column('integer', { name: 'on_hand_after' })
  onHandAfter!: number;

  @Column('text')
  reason!: string;

  @Column('text')
  actor!: string;

  /** The order whose units came back. */
  @Column('uuid', { nullable: true })
  reference!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
