import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/postgres/entity-columns.js';
import { statement } from '../platform/postgres/statement.js';
import type { Queryable, Tx } from '../platform/postgres/tx.js';
import { addUp } from './allocation.js';
import type { NamedClaim } from './allowance.js';
import { AllowanceEntity } from './allowance.entity.js';
import { ContendedRows, type ContendedTable } from './contended-rows.js';

const MEMBERS = ['key', 'allowed', 'held', 'taken'] as const satisfies readonly (keyof AllowanceEntity)[];
const COLUMNS = columnsOf(AllowanceEntity, MEMBERS);

export type Allowance = Readonly<Pick<AllowanceEntity, (typeof MEMBERS)[number]>>;
type LockedAllowance = Allowance & Readonly<Pick<AllowanceEntity, 'fence'>>;

const ROWS: ContendedTable<LockedAllowance> = {
  name: 'allowance',
  table: 'allowances',
  key: 'key',
  columns: COLUMNS,
  keyOf: ({ key }) => key,
  unit: 'int',
  held: 'held',
  taken: { column: 'taken', sign: 1 },
  lockOrder: 2,
};

/**
 * The limit of one customer, as of now. If the customer already has more than the new limit, the row keeps the old one.
 */
const ENSURE = statement(
  'allowance.ensure',
  `INSERT INTO allowances (key, customer, allowed)
   SELECT * FROM unnest($1::text[], $2::text[], $3::int[]) AS own (key, customer, allowed) ORDER BY key
   ON CONFLICT (key) DO UPDATE SET allowed = excluded.allowed, updated_at = now()
   WHERE allowances.allowed IS DISTINCT FROM excluded.allowed AND allowances.held + allowances.taken <= excluded.allowed`,
);

const PUT = statement(
  'allowance.put',
  `INSERT INTO allowances (key, allowed) VALUES ($1, $2)
   ON CONFLICT (key) DO UPDATE SET allowed = excluded.allowed, updated_at = now()
   WHERE excluded.allowed IS NULL OR allowances.held + allowances.taken <= excluded.allowed
   RETURNING ${COLUMNS}`,
);

const FIND = statement('allowance.find', `SELECT ${COLUMNS} FROM allowances WHERE key = ANY($1::text[])`);

/** Coupons and limits as balances. */
@Injectable()
export class AllowanceRepository {
  readonly rows = new ContendedRows(ROWS);
  /** The keys whose rows certainly exist in a transaction. */
  private readonly ensured = new WeakMap<Tx, Set<string>>();

  /** Asks for rows that `lock` will probably be called for next. */
  prefetch(tx: Tx, claims: readonly NamedClaim[]): void {
    if (claims.length === 0) return;
    this.ensure(tx, claims);
    this.rows.prefetch(tx, keysOf(claims));
  }

  /** The amount left of each allowance, read under the rows' locks. */
  async lock(tx: Tx, claims: readonly NamedClaim[], token?: bigint): Promise<Map<string, number>> {
    if (claims.length === 0) return new Map();
    this.ensure(tx, claims);
    const rows = await this.rows.lock(tx, keysOf(claims), token);
    // The row may allow more than the customer's present limit. Then nothing is left for the customer.
    const allowed = new Map(claims.map(({ key, own }) => [key, own?.allowed ?? Infinity]));
    return new Map(
      Array.from(rows, ([key, row]) => {
        const limit = Math.min(row.allowed ?? Infinity, allowed.get(key) ?? Infinity);
        return [key, limit - row.held - row.taken];
      }),
    );
  }

  /** Sets the allowance that everybody shares. Undefined if more than the new value is already held or taken. */
  async put(tx: Tx, key: string, allowed: number | null): Promise<Allowance | undefined> {
    return (await tx.query<Allowance & Record<string, unknown>>(PUT, [key, allowed]))[0];
  }

  async find(db: Queryable, keys: readonly string[]): Promise<Map<string, Allowance>> {
    const rows = await db.query<Allowance & Record<string, unknown>>(FIND, [keys]);
    return new Map(rows.map((row) => [row.key, row]));
  }

  private ensure(tx: Tx, claims: readonly NamedClaim[]): void {
    const ensured = this.ensured.get(tx) ?? new Set();
    const own = new Map(claims.flatMap(({ key, own }) => (own && !ensured.has(key) ? [[key, own] as const] : [])));
    if (own.size === 0) return;
    this.ensured.set(tx, new Set([...ensured, ...own.keys()]));
    const values = [...own.values()];
    tx.send(ENSURE, [[...own.keys()], values.map(({ customer }) => customer), values.map(({ allowed }) => allowed)]);
  }
}

function keysOf(claims: readonly NamedClaim[]): string[] {
  return [...new Set(claims.map(({ key }) => key))];
}

/** The claimed quantity of each allowance. */
export function claimed(claims: readonly Pick<NamedClaim, 'key' | 'quantity'>[]): Map<string, number> {
  return addUp(claims.map(({ key, quantity }) => [key, quantity]));
}
