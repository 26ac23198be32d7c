import type { Operator } from '../../platform/audit-trail/operator.js';
import type { Effect } from '../preview/effect.js';
import type { BulkAction } from './bulk-action.js';
import type { BulkFilter } from './bulk-run.dto.js';
import type { TakenItem } from './bulk-run.repository.js';

export const BULK_TARGETS = Symbol('BULK_TARGETS');

export interface PlannedSubject {
  readonly subject: string;
  readonly orderId: string | null;
  readonly effects: readonly Effect[];
}

/** Subjects to which verbs can be applied in bulk. */
export interface BulkTarget {
  readonly actions: readonly BulkAction[];
  /** The subjects that match the filter and would accept the verb now; one more than the limit if there are more. */
  plan(action: BulkAction, filter: BulkFilter, limit: number): Promise<PlannedSubject[]>;
  /**
   * Applies the verb to one subject and describes the result. After a crash it may be called again for the same run,
   * and must not act twice. A DomainError is a refusal.
   */
  act(action: BulkAction, item: TakenItem, operator: Required<Operator>): Promise<string>;
}

export const PAGE = 500;

/** Matches are examined one page at a time. */
export async function inPages(
  found: readonly { readonly id: string }[],
  foretell: (ids: readonly string[]) => Promise<PlannedSubject[]>,
): Promise<PlannedSubject[]> {
  const planned: PlannedSubject[] = [];
  for (let next = 0; next < found.length; next += PAGE)
    planned.push(...(await foretell(found.slice(next, next + PAGE).map(({ id }) => id))));
  return planned;
}

/** Reads pages until there are enough matches. */
export async function collect<T>(
  limit: number,
  page: (cursor: string | undefined) => Promise<{ readonly rows: readonly T[]; readonly nextCursor: string | null }>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await page(cursor);
    all.push(...rows);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined && all.length <= limit);
  return all;
}
