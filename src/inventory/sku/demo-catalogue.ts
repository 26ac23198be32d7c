import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { SkuData } from './sku.js';
import { SkuRepository } from './sku.repository.js';

const CURRENCY = 'EUR';

function goods(sku: string, name: string, unitAmount: number, onHand: number): SkuData {
  const unlimited = { row: null, number: null, maxPerCustomer: null };
  return { sku, name, unitAmount, currency: CURRENCY, group: 'demo', ...unlimited, onHand };
}

const GOODS: readonly SkuData[] = [
  goods('demo-mug', 'Mug', 1_250, 1_000),
  goods('demo-shirt', 'Shirt', 2_900, 250),
  goods('demo-poster', 'Poster, signed', 4_500, 20),
  goods('demo-last-one', 'The last one', 9_900, 1),
  goods('demo-lamp', 'Reading lamp', 6_400, 60),
  goods('demo-tote', 'Tote bag', 1_800, 400),
  goods('demo-record', 'Film scores, vinyl', 3_200, 5),
  goods('demo-camera', 'Pocket camera', 14_900, 0),
];

interface Hall {
  readonly group: string;
  readonly rows: readonly string[];
  readonly seatsPerRow: number;
  readonly price: (row: string) => number;
  /** Sold before we came. */
  readonly isSold?: (row: string, number: number) => boolean;
}

const HALLS: readonly Hall[] = [
  {
    group: 'cinema:show:12345',
    rows: ['A', 'B', 'C', 'D'],
    seatsPerRow: 8,
    price: (row) => (row === 'D' ? 1_400 : 1_100),
  },
  {
    group: 'cinema:show:67890',
    rows: ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'],
    seatsPerRow: 14,
    price: (row) => (row < 'C' ? 900 : row < 'F' ? 1_300 : 1_600),
    isSold: (row, number) => (row.charCodeAt(0) * 7 + number * number * 5) % 11 < 2,
  },
];

const SEATS: readonly SkuData[] = HALLS.flatMap(({ group, rows, seatsPerRow, price, isSold }) =>
  rows.flatMap((row) =>
    Array.from({ length: seatsPerRow }, (_, index) => ({
      sku: `${group}:seat:${row}${index + 1}`,
      name: `Seat ${row}${index + 1}`,
      unitAmount: price(row),
      currency: CURRENCY,
      group,
      row,
      number: index + 1,
      maxPerCustomer: null,
      onHand: isSold?.(row, index + 1) ? 0 : 1,
    })),
  ),
);

/** Goods for trying out the service. */
@Injectable()
export class DemoCatalogue {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly skus: SkuRepository,
  ) {}

  /** Only fills an empty catalogue, so that it never mixes with real goods. Returns the number of SKUs added. */
  seed(): Promise<number> {
    return this.transactions.run(async (tx) => {
      if (!(await this.skus.isEmpty(tx))) return 0;
      return (await this.skus.insertNew(tx, [...GOODS, ...SEATS], 'demo-catalogue')).length;
    });
  }
}
