import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('skus')
export class SkuEntity {
  @PrimaryColumn('text')
  sku!: string;

  @Column('text')
  name!: string;

  @Column('bigint', { name: 'unit_amount' })
  unitAmount!: number;

  @Column('char', { length: 3 })
  currency!: string;

  @Column('text', { name: 'sku_group', nullable: true })
  group!: string | null;

  @Column('text', { name: 'seat_row', nullable: true })
  row!: string | null;

  @Column('integer', { name: 'seat_number', nullable: true })
  number!: number | null;

  /** Over all orders of a customer that are held or confirmed. */
  @Column('integer', { name: 'max_per_customer', nullable: true })
  maxPerCustomer!: number | null;

  @Column('integer', { name: 'on_hand' })
  onHand!: number;

  @Column('integer', { default: 0 })
  reserved!: number;

  /** The highest fencing token that has written the stock. */
  @Column('bigint', { default: 0 })
  fence!: number;

  @Column('integer', { default: 1 })
  version!: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;
}
