import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/postgres/statement.js';
import type { Queryable, Tx } from '../../platform/postgres/tx.js';
import { SkuCache } from './sku-cache.js';
import type { Sku, SkuData } from './sku.js';

export interface SkuFilter {
  readonly group: string | undefined;
  readonly isAvailable: boolean;
  readonly after: string;
  readonly limit: number;
}

const COLUMNS = `skus.sku, skus.name, skus.unit_amount AS "unitAmount", skus.currency, skus.sku_group AS "group",
  skus.seat_row AS "row", skus.seat_number AS "number", skus.max_per_customer AS "maxPerCustomer",
  skus.on_hand AS "onHand", skus.reserved, skus.version`;

const FIND = statement('sku.find', `SELECT ${COLUMNS} FROM skus WHERE sku = ANY($1::text[])`);
const LOCK = statement('sku.lock', `SELECT ${COLUMNS} FROM skus WHERE sku = ANY($1::text[]) ORDER BY sku FOR UPDATE`);

const LIST = statement(
  'sku.list',
  `SELECT ${COLUMNS} FROM skus WHERE sku > $1 AND (NOT $2::boolean OR on_hand > reserved) ORDER BY sku LIMIT $3`,
);

const LIST_GROUP = statement(
  'sku.list-group',
  `SELECT ${COLUMNS} FROM skus
   WHERE sku_group = $4 AND sku > $1 AND (NOT $2::boolean OR on_hand > reserved) ORDER BY sku LIMIT $3`,
);

/** Writes the initial stock as a movement in the same statement, so that there is no stock without a movement. */
const INSERT_NEW = statement(
  'sku.insert-new',
  `WITH added AS (
     INSERT INTO skus (sku, name, unit_amount, currency, sku_group, seat_row, seat_number, max_per_customer, on_hand)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::int[], $8::int[], $9::int[])
       AS given (sku, name, unit_amount, currency, sku_group, seat_row, seat_number, max_per_customer, on_hand) ORDER BY sku
     ON CONFLICT DO NOTHING RETURNING *
   ), recorded AS (
     INSERT INTO stock_movements (sku, kind, delta, on_hand_after, reason, actor)
     SELECT sku, 'INITIAL', on_hand, on_hand, 'first stock', $10 FROM added
   )
   SELECT ${COLUMNS} FROM added AS skus`,
);

/** Changes rows that differ, except the currency of a SKU with reserved units. */
const UPDATE = statement(
  'sku.update',
  `UPDATE skus SET name = given.name, unit_amount = given.unit_amount, currency = given.currency,
     sku_group = given.sku_group, seat_row = given.seat_row, seat_number = given.seat_number,
     max_per_customer = given.max_per_customer,
     version = skus.version + 1, updated_at = now()
   FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::int[], $8::int[])
     AS given (sku, name, unit_amount, currency, sku_group, seat_row, seat_number, max_per_customer)
   WHERE skus.sku = given.sku AND (skus.currency = given.currency OR skus.reserved = 0)
     AND (skus.name, skus.unit_amount, skus.currency, skus.sku_group, skus.seat_row, skus.seat_number, skus.max_per_customer)
       IS DISTINCT FROM (given.name, given.unit_amount, given.currency, given.sku_group, given.seat_row, given.seat_number, given.max_per_customer)
   RETURNING ${COLUMNS}`,
);

const IS_EMPTY = statement('sku.is-empty', `SELECT NOT EXISTS (SELECT FROM skus) AS "isEmpty"`);

@Injectable()
export class SkuRepository {
  constructor(private readonly hints: SkuCache) {}

  /** Returns the SKUs that exist. */
  async find(db: Queryable, skus: readonly string[]): Promise<Map<string, Sku>> {
    const rows = await db.query<Sku>(FIND, [skus]);
    for (const row of rows) this.hints.see(row);
    return new Map(rows.map((row) => [row.sku, row]));
  }

  async lock(tx: Tx, skus: readonly string[]): Promise<Map<string, Sku>> {
    const rows = await tx.query<Sku>(LOCK, [skus]);
    return new Map(rows.map((row) => [row.sku, row]));
  }

  list(db: Queryable, { after, isAvailable, limit, group }: SkuFilter): Promise<Sku[]> {
    const params = [after, isAvailable, limit];
    return group === undefined ? db.query<Sku>(LIST, params) : db.query<Sku>(LIST_GROUP, [...params, group]);
  }

  /** Returns the new ones. Their stock has its movement. */
  insertNew(tx: Tx, skus: readonly SkuData[], actor: string): Promise<Sku[]> {
    this.hints.changeOnCommit(tx, skus.map(nameOf), skus.flatMap(groupOf));
    return tx.query<Sku>(INSERT_NEW, [...columns(skus), skus.map(({ onHand }) => onHand), actor]);
  }

  /** Returns the changed ones. The rows of several must be locked in order. */
  update(tx: Tx, skus: readonly SkuData[]): Promise<Sku[]> {
    this.hints.changeOnCommit(tx, skus.map(nameOf), skus.flatMap(groupOf));
    return tx.query<Sku>(UPDATE, columns(skus));
  }

  async isEmpty(db: Queryable): Promise<boolean> {
    const [row] = await db.query<{ isEmpty: boolean }>(IS_EMPTY, []);
    return row?.isEmpty ?? true;
  }
}

function nameOf({ sku }: SkuData): string {
  return sku;
}

function groupOf({ group }: SkuData): string[] {
  return group === null ? [] : [group];
}

function columns(skus: readonly SkuData[]): unknown[] {
  return [
    skus.map(({ sku }) => sku),
    skus.map(({ name }) => name),
    skus.map(({ unitAmount }) => unitAmount),
    skus.map(({ currency }) => currency),
    skus.map(({ group }) => group),
    skus.map(({ row }) => row),
    skus.map(({ number }) => number),
    skus.map(({ maxPerCustomer }) => maxPerCustomer),
  ];
}
