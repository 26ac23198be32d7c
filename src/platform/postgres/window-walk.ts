import type { TransactionRunner } from './transaction-runner.js';
import type { Queryable } from './tx.js';

/** A part of a table, newest first: rows that match, and where the part ends. */
export interface Window<R> {
  /** At most as many as were asked for. */
  readonly rows: readonly R[];
  /** The id of its last row; undefined if the table ends within it. */
  readonly end: string | undefined;
}

/** Reads the rows below `before`, of which `size` are looked at, and returns at most `limit` of those that match. */
export type ReadWindow<R> = (
  db: Queryable,
  before: string | undefined,
  limit: number,
  size: number,
) => Promise<Window<R>>;

export interface Walked<R> {
  readonly rows: readonly R[];
  /** Where the next page begins: null only if there is nothing more. */
  readonly nextCursor: string | null;
}

const FIRST_WINDOW = 2_000;
const LARGEST_WINDOW = 4_000;
const GROWTH = 2;
/** A page takes no longer than this and its last window. */
const BUDGET_MS = 50;

/**
 * Looks for rows that no index finds, because one would be changed by every update of its table (ADR 14). Where such
 * rows are rare, a page takes as much as it finds in its time, perhaps nothing, and the cursor says where the next one
 * goes on: the answer is never slow, whatever the table holds.
 */
export async function walkWindows<R extends { readonly id: string }>(
  transactions: TransactionRunner,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
  read: ReadWindow<R>,
): Promise<Walked<R>> {
  return transactions.read(async (db) => {
    const startedAt = performance.now();
    const found: R[] = [];
    let at = before;
    for (let size = FIRST_WINDOW; ; size = Math.min(LARGEST_WINDOW, size * GROWTH)) {
      const { rows, end } = await read(db, at, limit + 1 - found.length, size);
      found.push(...rows);
      if (found.length > limit) return pageOf(found, limit);
      if (end === undefined) return { rows: found, nextCursor: null };
      if (performance.now() - startedAt > BUDGET_MS) return { rows: found, nextCursor: end };
      at = end;
    }
  });
}

/** Rows that include one more than the page shows, which tells whether there is a next one. */
export function pageOf<R extends { readonly id: string }>(rows: readonly R[], limit: number): Walked<R> {
  const shown = rows.slice(0, limit);
  return { rows: shown, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}
