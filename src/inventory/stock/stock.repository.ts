import { Injectable } from '@nestjs/common';
import { overRows } from '../../platform/postgres/rows.js';
import { expectingRows, statement } from '../../platform/postgres/statement.js';
import type { Tx } from '../../platform/postgres/tx.js';
import { FencedOutError } from '../../lock/lock-errors.js';
import { SkuCache } from '../sku/sku-cache.js';
import { mergeQuantities, type StockLine } from './stock-allocation.js';

export interface StockRow {
  readonly sku: string;
  readonly onHand: number;
  readonly reserved: number;
  readonly fence: number;
  readonly version: number;
  /** The transaction's time, on the database's clock. */
  readonly now: Date;
}

/** Of the catalogue data that a price came from, by SKU. */
export type Versions = ReadonlyMap<string, number>;

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

interface StockChange {
  readonly sku: string;
  readonly reserved: number;
  readonly onHand: number;
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

interface Prefetched {
  readonly skus: ReadonlySet<string>;
  readonly rows: Promise<StockRow[]>;
}

/** Everybody locks stock rows in this one order, so that no two transactions can wait for each other. */
const LOCK = statement(
  'stock.lock',
  `SELECT sku, on_hand AS "onHand", reserved, fence, version, now() AS now
   FROM skus WHERE sku = ANY($1::text[]) ORDER BY sku FOR UPDATE`,
);

/**
 * The write itself checks the fence: a stale token makes NULL, which the column refuses, and the transaction with it.
 * A mere WHERE would leave the row alone in silence while the reservation next to it commits.
 */
const RESERVE = statement(
  'stock.reserve',
  `UPDATE skus SET reserved = skus.reserved + taken.quantity,
     fence = CASE WHEN $3::bigint IS NULL THEN skus.fence WHEN skus.fence <= $3 THEN $3 END
   FROM unnest($1::text[], $2::int[]) AS taken (sku, quantity) WHERE skus.sku = taken.sku`,
);

/**
 * The same without a look before: of every SKU that much must still be there, no later holder have written, and its price
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

/** All changes of a transaction at once, so that the rows are locked in the one order, and last. */
const CHANGE = overRows<StockChange>(
  'stock.change',
  { sku: 'text', reserved: 'int', onHand: 'int' },
  (given) => `UPDATE skus SET reserved = skus.reserved + change.reserved, on_hand = skus.on_hand + change.on_hand
   FROM (
     SELECT sku, sum(reserved)::int AS reserved, sum("onHand")::int AS on_hand
     FROM ${given} GROUP BY sku ORDER BY sku
   ) AS change WHERE skus.sku = change.sku`,
);

const ADD = statement(
  'stock.add',
  `UPDATE skus SET on_hand = skus.on_hand + added.quantity, updated_at = now(),
     fence = CASE WHEN $3::bigint IS NULL THEN skus.fence WHEN skus.fence <= $3 THEN $3 END
   FROM unnest($1::text[], $2::int[]) AS added (sku, quantity) WHERE skus.sku = added.sku`,
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
  private readonly prefetched = new WeakMap<Tx, Prefetched>();

  constructor(private readonly cache: SkuCache) {}

  /** Asks for rows that `lock` will probably be called for next. */
  prefetch(tx: Tx, skus: readonly string[]): void {
    if (skus.length === 0) return;
    const rows = tx.query<StockRow>(LOCK, [skus]);
    rows.catch(() => undefined); // `lock` fails with it
    this.prefetched.set(tx, { skus: new Set(skus), rows });
  }

  /** Locks the rows, in order. With a token, throws if a later holder of the SKU's lock has already written. */
  async lock(tx: Tx, skus: readonly string[], token?: bigint): Promise<Map<string, StockRow>> {
    const rows = await this.rowsOf(tx, skus);
    for (const { sku, fence, onHand, reserved } of rows) {
      this.cache.seeStock(sku, onHand - reserved);
      if (token !== undefined && BigInt(fence) > token) throw new FencedOutError(`sku ${sku}`, token, BigInt(fence));
    }
    return new Map(rows.map((row) => [row.sku, row]));
  }

  /** The prefetched rows, if they were fetched for all of these SKUs; they are true only until the first write. */
  private async rowsOf(tx: Tx, skus: readonly string[]): Promise<StockRow[]> {
    const prefetched = this.prefetched.get(tx);
    this.prefetched.delete(tx);
    if (!prefetched || !skus.every((sku) => prefetched.skus.has(sku))) return tx.query<StockRow>(LOCK, [skus]);
    const rows = await prefetched.rows;
    if (prefetched.skus.size === skus.length) return rows;
    const wanted = new Set(skus);
    return rows.filter(({ sku }) => wanted.has(sku));
  }

  /** The rows must be locked. */
  reserve(tx: Tx, quantities: ReadonlyMap<string, number>, token?: bigint): void {
    if (quantities.size === 0) return;
    const [skus, taken] = columns(quantities);
    tx.send(RESERVE, [skus, taken, token?.toString() ?? null]);
    this.cache.changeOnCommit(tx, skus);
  }

  /** The rows need not be locked: the transaction fails if there is not enough. Behind all else, as they are wanted. */
  reserveAll(tx: Tx, quantities: ReadonlyMap<string, number>, versions: Versions, token?: bigint): void {
    const [skus, wanted] = columns(quantities);
    const seen = skus.map((sku) => versions.get(sku) ?? null);
    tx.expectLast(RESERVE_ALL, [skus, wanted, token?.toString() ?? null, skus.length, seen]);
    this.cache.take(quantities);
    this.cache.changeOnCommit(tx, skus);
  }

  /** What was reserved is available again. */
  free(tx: Tx, quantities: ReadonlyMap<string, number>): void {
    tx.gatherLast(CHANGE, changes(quantities, { reserved: -1, onHand: 0 }));
    this.cache.changeOnCommit(tx, [...quantities.keys()]);
  }

  /** What was reserved leaves the house. */
  take(tx: Tx, quantities: ReadonlyMap<string, number>): void {
    tx.gatherLast(CHANGE, changes(quantities, { reserved: -1, onHand: -1 }));
    this.cache.changeOnCommit(tx, [...quantities.keys()]);
  }

  /** The row must be locked, and the result checked against what is reserved. */
  async adjust(
    tx: Tx,
    row: StockRow,
    change: Readonly<{ delta: number; reason: string; actor: string }>,
    token: bigint,
  ): Promise<StockMovement> {
    tx.send(ADD, [[row.sku], [change.delta], token.toString()]);
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
    tx.send(ADD, [...columns(added), null]);
    this.cache.changeOnCommit(tx, [...added.keys()]);
    tx.send(RECORD, RECORD.params(movements));
  }

  record(tx: Tx, movements: readonly NewMovement[]): Promise<StockMovement[]> {
    return tx.query<StockMovement>(RECORD, RECORD.params(movements));
  }
}

function changes(quantities: ReadonlyMap<string, number>, sign: Omit<StockChange, 'sku'>): StockChange[] {
  return [...quantities].map(([sku, quantity]) => ({
    sku,
    reserved: sign.reserved * quantity,
    onHand: sign.onHand * quantity,
  }));
}

function columns(quantities: ReadonlyMap<string, number>): [string[], number[]] {
  return [[...quantities.keys()], [...quantities.values()]];
}
