import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import type { SkuData } from './sku.js';
import { SkuRepository } from './sku.repository.js';

const SHOW = 'cinema:show:12345';
const ROWS = ['A', 'B', 'C', 'D'];
const SEATS_PER_ROW = 8;

const NO_SEAT = { row: null, number: null };

const goods: readonly SkuData[] = [
  { sku: 'demo-mug', name: 'Mug', unitAmount: 1_250, currency: 'EUR', group: 'demo', ...NO_SEAT, onHand: 1_000 },
  { sku: 'demo-shirt', name: 'Shirt', unitAmount: 2_900, currency: 'EUR', group: 'demo', ...NO_SEAT, onHand: 250 },
  {
    sku: 'demo-poster',
    name: 'Poster, signed',
    unitAmount: 4_500,
    currency: 'EUR',
    group: 'demo',
    ...NO_SEAT,
    onHand: 20,
  },
  {
    sku: 'demo-last-one',
    name: 'The last one',
    unitAmount: 9_900,
    currency: 'EUR',
    group: 'demo',
    ...NO_SEAT,
    onHand: 1,
  },
];

const seats: readonly SkuData[] = ROWS.flatMap((row) =>
  Array.from({ length: SEATS_PER_ROW }, (_, index) => ({
    sku: `${SHOW}:seat:${row}${index + 1}`,
    name: `Seat ${row}${index + 1}`,
    unitAmount: row === 'D' ? 1_400 : 1_100,
    currency: 'EUR',
    group: SHOW,
    row,
    number: index + 1,
    onHand: 1,
  })),
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
      return (await this.skus.insertNew(tx, [...goods, ...seats], 'demo-catalogue')).length;
    });
  }
}
