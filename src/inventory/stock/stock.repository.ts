import { Injectable } from '@nestjs/common';
import { overRows } from '../../platform/postgres/rows.js';
import { expectingRows, statement } from '../../platform/postgres/statement.js';
import { GuardFailedError, type Tx } from '../../platform/postgres/tx.js';
import type { Quantities } from '../../balance/allocation.js';
import { ContendedRows, type ContendedTable } from '../../balance/contended-rows.js';
import { SkuCache } from '../sku/sku-cache.js';
import { mergeQuantities, type StockLine } from './stock-line.js';

export interface StockRow {
  readonly sku: string;
  readonly onHand: number;
  readonly reserved: number;
  readonly fence: number;
  readonly version: number;
  /** The transaction's time, on the database's clock. */
  readonly now: Date;
}

/** Of the catalogue data that cached prices came from, by SKU. */
export type Versions = ReadonlyMap<string, number>;

/** Throws if two of them have seen different prices of one SKU. */
export function mergeVersions(seen: readonly (Readonly<Record<string, number>> | undefined)[]): Versions {
  const versions = new Map<string, number>();
  for (const [sku, version] of seen.flatMap((each) => Object.entries(each ?? {}))) {
    if ((versions.get(sku) ?? version) !== version) throw new GuardFailedError(`the price of ${sku}`);
    versions.set(sku, version);
  }
  return versions;
}

export function assertVersions(rows: ReadonlyMap<string, StockRow>, versions: Versions): void {
  for (const [sku, version] of versions)
    if (rows.get(sku)?.version !== version) throw new GuardFailedError(`the price of ${sku}`);
}

export interface StockMovement {
  readonly id: number;
  readonly sku: string;
  readonly kind: 'INITIAL' | 'ADJUSTMENT' | 'RESTOCK';
  readonly delta: number;
  readonly onHandAfter: number;
  readonly reason: string;
  readonly actor: string;
  readonly createdAt: Date;
}

export interface Restock {
  readonly orderId: string;
  readonly lines: readonly StockLine[];
}

interface NewMovement {
  readonly sku: string;
  readonly kind: StockMovement['kind'];
  readonly delta: number;
  readonly onHandAfter: number;
  readonly reason: string;
  readonly actor: string;
  readonly reference: string | null;
}

const ROWS: ContendedTable<StockRow> = {
  name: 'stock',
  table: 'skus',
  key: 'sku',
  columns: 'sku, on_hand AS "onHand", reserved, version, now() AS now',
  keyOf: ({ sku }) => sku,
  unit: 'int',
  held: 'reserved',
  taken: { column: 'on_hand', sign: -1 },
  lockOrder: 1,
};

/**
 * Reserves without a look before: of every SKU that much must still be there, no later holder have written, and its price
 * be the one that was reckoned with, where somebody did.
 */
const RESERVE_ALL = expectingRows(
  'stock.reserve-all',
  '$4',
  `UPDATE skus SET reserved = skus.reserved + taken.quantity, fence = coalesce($3::bigint, skus.fence)
   FROM (
     SELECT sku, quantity, version FROM unnest($1::text[], $2::int[], $5::int[]) AS wanted (sku, quantity, version) ORDER BY sku
   ) AS taken
   WHERE skus.sku = taken.sku AND skus.reserved + taken.quantity <= skus.on_hand AND skus.fence <= coalesce($3, skus.fence)
     AND skus.version = coalesce(taken.version, skus.version)`,
);

const RECORD = overRows<NewMovement>(
  'stock.record',
  {
    sku: 'text',
    kind: 'text',
    delta: 'int',
    onHandAfter: 'int',
    reason: 'text',
    actor: 'text',
    reference: 'uuid',
  },
  (given) => `
   INSERT INTO stock_movements (sku, kind, delta, on_hand_after, reason, actor, reference) SELECT * FROM ${given}
   RETURNING id, sku, kind, delta, on_hand_after AS "onHandAfter", reason, actor, created_at AS "createdAt"`,
);

const RESTOCKED = statement(
  'stock.restocked',
  `SELECT reference AS "orderId", sku FROM stock_movements WHERE kind = 'RESTOCK' AND reference = ANY($1::uuid[])`,
);

/** The stock columns of `skus` and the ledger of their changes. */
@Injectable()
export class StockRepository {
  private readonly rows = new ContendedRows(ROWS);

  constructor(private readonly cache: SkuCache) {}

  /** Asks for rows that `lock` will probably be called for next. */
  prefetch(tx: Tx, skus: readonly string[]): void {
    this.rows.prefetch(tx, skus);
  }

  /** Locks the rows, in order. With a token, throws if a later holder of the SKU's lock has already written. */
  async lock(tx: Tx, skus: readonly string[], token?: bigint): Promise<Map<string, StockRow>> {
    const rows = await this.rows.lock(tx, skus, token);
    for (const { sku, onHand, reserved } of rows.values()) this.cache.seeStock(sku, onHand - reserved);
    return rows;
  }

  /** The rows must be locked. */
  reserve(tx: Tx, quantities: Quantities, token?: bigint): void {
    this.rows.hold(tx, quantities, token);
    this.cache.changeOnCommit(tx, [...quantities.keys()]);
  }

  /** The rows need not be locked: the transaction fails if there is not enough. Behind all else, as they are wanted. */
  reserveAll(tx: Tx, quantities: Quantities, versions: Versions, token?: bigint): void {
    const [skus, wanted] = [[...quantities.keys()], [...quantities.values()]];
    const seen = skus.map((sku) => versions.get(sku) ?? null);
    tx.expectLast(RESERVE_ALL, [skus, wanted, token?.toString() ?? null, skus.length, seen]);
    this.cache.take(quantities);
    this.cache.changeOnCommit(tx, skus);
  }

  /** What was reserved is available again. */
  free(tx: Tx, quantities: Quantities): void {
    this.rows.free(tx, quantities);
    this.cache.changeOnCommit(tx, [...quantities.keys()]);
  }

  /** What was reserved leaves the house. */
  take(tx: Tx, quantities: Quantities): void {
    this.rows.take(tx, quantities);
    this.cache.changeOnCommit(tx, [...quantities.keys()]);
  }

  /** The row must be locked, and the result checked against what is reserved. */
  async adjust(
    tx: Tx,
    row: StockRow,
    change: Readonly<{ delta: number; reason: string; actor: string }>,
    token: bigint,
  ): Promise<StockMovement> {
    this.rows.add(tx, new Map([[row.sku, change.delta]]), token);
    this.cache.changeOnCommit(tx, [row.sku]);
    const onHandAfter = row.onHand + change.delta;
    const [movement] = await this.record(tx, [
      { sku: row.sku, kind: 'ADJUSTMENT', onHandAfter, reference: null, ...change },
    ]);
    if (!movement) throw new Error('the movement was not recorded');
    return movement;
  }

  /**
   * At most once per order and SKU. Read under the row locks rather than left to ON CONFLICT, because a movement says
   * the stock after it, which depends on which of the others land; the unique index stands behind it.
   */
  async restock(tx: Tx, restocks: readonly Restock[], actor: string): Promise<void> {
    const skus = [...new Set(restocks.flatMap(({ lines }) => lines.map(({ sku }) => sku)))];
    const locked = this.lock(tx, skus);
    const done = tx.query<{ orderId: string; sku: string }>(RESTOCKED, [restocks.map(({ orderId }) => orderId)]);
    const [rows, earlier] = await Promise.all([locked, done]);
    const isDone = new Set(earlier.map(({ orderId, sku }) => `${orderId} ${sku}`));
    const added = new Map<string, number>();
    const movements: NewMovement[] = [];
    for (const { orderId, lines } of restocks) {
      for (const [sku, delta] of mergeQuantities(lines)) {
        const row = rows.get(sku);
        if (!row || isDone.has(`${orderId} ${sku}`)) continue;
        isDone.add(`${orderId} ${sku}`);
        const sum = (added.get(sku) ?? 0) + delta;
        added.set(sku, sum);
        const reason = 'the order was cancelled';
        movements.push({
          sku,
          kind: 'RESTOCK',
          delta,
          onHandAfter: row.onHand + sum,
          reason,
          actor,
          reference: orderId,
        });
      }
    }
    if (movements.length === 0) return;
    this.rows.add(tx, added);
    this.cache.changeOnCommit(tx, [...added.keys()]);
    tx.send(...RECORD.over(movements));
  }

  record(tx: Tx, movements: readonly NewMovement[]): Promise<StockMovement[]> {
    return tx.query<StockMovement>(...RECORD.over(movements));
  }
}
