import type { Quantities } from './allocation.js';
import { FencedOutError } from '../lock/lock-errors.js';
import { overRows, type RowsStatement } from '../platform/postgres/rows.js';
import { type Statement, statement } from '../platform/postgres/statement.js';
import type { Tx } from '../platform/postgres/tx.js';

/** A table of balances: a row per key, a part of which is held for somebody. */
export interface ContendedTable<R> {
  /** The prefix of the statements' names, and of the rows in errors. */
  readonly name: string;
  readonly table: string;
  readonly key: string;
  /** The columns that `lock` reads, in addition to the fence. */
  readonly columns: string;
  readonly keyOf: (row: R) => string;
  readonly unit: 'int' | 'bigint';
  readonly held: string;
  /** The column that changes permanently when something is taken: a stock shrinks (-1), a counter of uses grows (1). */
  readonly taken: { readonly column: string; readonly sign: 1 | -1 };
  /** A transaction that touches several tables of balances locks their rows in this order. */
  readonly lockOrder: number;
}

export interface ContendedRow {
  /** The highest fencing token that has written the row. */
  readonly fence: number;
}

interface Change {
  readonly key: string;
  readonly held: number;
  readonly taken: number;
}

interface Prefetched<R> {
  readonly keys: ReadonlySet<string>;
  readonly rows: Promise<R[]>;
}

/**
 * Contended balances: stock, credit, coupons and limits are rows of which parts are held, taken and given back. Rows
 * are locked in the order of their keys, so that no two transactions wait for each other. `hold` and `add` take from
 * others, so they run under a lock and are fenced. `free` and `take` end a hold: they are relative changes, guarded by
 * the hold's own state, so their order does not matter. They are sent last, which keeps the rows locked for the
 * shortest time.
 */
export class ContendedRows<R extends ContendedRow> {
  private readonly prefetched = new WeakMap<Tx, Prefetched<R>>();
  private readonly lockRows: Statement;
  private readonly holdRows: Statement;
  private readonly addRows: Statement;
  private readonly changeRows: RowsStatement<Change>;

  constructor(private readonly of: ContendedTable<R>) {
    const { name, table, key, columns, unit, held, taken, lockOrder } = of;
    this.lockRows = statement(
      `${name}.lock`,
      `SELECT ${columns}, fence FROM ${table} WHERE ${key} = ANY($1::text[]) ORDER BY ${key} FOR UPDATE`,
    );
    this.holdRows = fencedUpdate(of, `${name}.hold`, `${held} = ${table}.${held} + change.quantity`);
    const more = `${taken.column} = ${table}.${taken.column} ${taken.sign === 1 ? '-' : '+'} change.quantity`;
    this.addRows = fencedUpdate(of, `${name}.add`, `${more}, updated_at = now()`);
    this.changeRows = {
      ...overRows<Change>(
        `${name}.change`,
        { key: 'text', held: unit, taken: unit },
        (
          given,
        ) => `UPDATE ${table} SET ${held} = ${table}.${held} + change.held, ${taken.column} = ${table}.${taken.column} + change.taken
   FROM (
     SELECT key, sum(held)::${unit} AS held, sum(taken)::${unit} AS taken FROM ${given} GROUP BY key ORDER BY key
   ) AS change WHERE ${table}.${key} = change.key`,
      ),
      lockOrder,
    };
  }

  /** Asks for rows that `lock` will probably be called for next. */
  prefetch(tx: Tx, keys: readonly string[]): void {
    if (keys.length === 0) return;
    const rows = tx.query<R & Record<string, unknown>>(this.lockRows, [keys]);
    rows.catch(() => undefined); // `lock` fails with it
    this.prefetched.set(tx, { keys: new Set(keys), rows });
  }

  /** Locks the rows, in order. With a token, throws if a later holder of the key's lock has already written. */
  async lock(tx: Tx, keys: readonly string[], token?: bigint): Promise<Map<string, R>> {
    const { keyOf, name } = this.of;
    const found = new Map<string, R>();
    for (const row of await this.rowsOf(tx, keys)) {
      const key = keyOf(row);
      const fence = BigInt(row.fence);
      if (token !== undefined && fence > token) throw new FencedOutError(`${name} ${key}`, token, fence);
      found.set(key, row);
    }
    return found;
  }

  /** The rows must be locked and have enough left. */
  hold(tx: Tx, quantities: Quantities, token?: bigint): void {
    if (quantities.size > 0) tx.send(this.holdRows, [...columnsOf(quantities), token?.toString() ?? null]);
  }

  /**
   * A permanent change: a delivery, or an entry of an account. The rows must be locked and keep at least the held part.
   */
  add(tx: Tx, quantities: Quantities, token?: bigint): void {
    if (quantities.size > 0) tx.send(this.addRows, [...columnsOf(quantities), token?.toString() ?? null]);
  }

  /** Makes held units available again. */
  free(tx: Tx, quantities: Quantities): void {
    this.change(tx, quantities, { held: -1, taken: 0 });
  }

  /** Turns held units into taken ones. */
  take(tx: Tx, quantities: Quantities): void {
    this.change(tx, quantities, { held: -1, taken: 1 });
  }

  /** Gives taken units back. */
  giveBack(tx: Tx, quantities: Quantities): void {
    this.change(tx, quantities, { held: 0, taken: -1 });
  }

  private change(tx: Tx, quantities: Quantities, by: Omit<Change, 'key'>): void {
    const { sign } = this.of.taken;
    const changes = Array.from(quantities, ([key, quantity]) => ({
      key,
      held: by.held * quantity,
      taken: by.taken * sign * quantity,
    }));
    tx.gatherLast(this.changeRows, changes);
  }

  /** The prefetched rows, if they include all of these keys. They are valid only until the first write. */
  private async rowsOf(tx: Tx, keys: readonly string[]): Promise<R[]> {
    const prefetched = this.prefetched.get(tx);
    this.prefetched.delete(tx);
    if (!prefetched || !keys.every((key) => prefetched.keys.has(key)))
      return tx.query<R & Record<string, unknown>>(this.lockRows, [keys]);
    const rows = await prefetched.rows;
    if (prefetched.keys.size === keys.length) return rows;
    const wanted = new Set(keys);
    return rows.filter((row) => wanted.has(this.of.keyOf(row)));
  }
}

/**
 * The update itself checks the fence: a stale token evaluates to NULL, which the column refuses, so the whole
 * transaction fails. A condition in WHERE would skip the row silently and let the other writes of the transaction
 * commit.
 */
function fencedUpdate<R>({ table, key, unit }: ContendedTable<R>, name: string, assignments: string): Statement {
  return statement(
    name,
    `UPDATE ${table} SET ${assignments},
     fence = CASE WHEN $3::bigint IS NULL THEN ${table}.fence WHEN ${table}.fence <= $3 THEN $3 END
   FROM unnest($1::text[], $2::${unit}[]) AS change (key, quantity) WHERE ${table}.${key} = change.key`,
  );
}

function columnsOf(quantities: Quantities): [string[], number[]] {
  return [[...quantities.keys()], [...quantities.values()]];
}
