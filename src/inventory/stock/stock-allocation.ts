export interface StockLine {
  readonly sku: string;
  readonly quantity: number;
}

export interface StockRequest {
  /** In order of preference. One of them is held completely, or nothing is. */
  readonly alternatives: readonly (readonly StockLine[])[];
}

export interface Shortage {
  readonly sku: string;
  readonly requested: number;
  readonly available: number;
}

export type StockVerdict =
  | { readonly kind: 'granted'; readonly alternative: number }
  | { readonly kind: 'short'; readonly shortages: readonly Shortage[] };

/**
 * Decides who gets the last units: requests are served in order of arrival, each completely or not at all. A pure
 * function, because it runs for a whole batch while the stock rows are locked; the result is written in one statement
 * per table. A refused request names every short SKU of the alternative that came closest.
 */
export function allocate(
  available: ReadonlyMap<string, number>,
  requests: readonly StockRequest[],
): readonly StockVerdict[] {
  const left = new Map(available);
  return requests.map((request) => serve(left, request));
}

function serve(left: Map<string, number>, request: StockRequest): StockVerdict {
  let closest: readonly Shortage[] = [];
  let closestMissing = Number.POSITIVE_INFINITY;
  for (const [alternative, lines] of request.alternatives.entries()) {
    const needed = mergeQuantities(lines);
    const shortages = shortagesOf(left, needed);
    if (shortages.length === 0) {
      for (const [sku, quantity] of needed) left.set(sku, (left.get(sku) ?? 0) - quantity);
      return { kind: 'granted', alternative };
    }
    const missing = shortages.reduce((sum, shortage) => sum + shortage.requested - shortage.available, 0);
    if (missing < closestMissing) {
      closest = shortages;
      closestMissing = missing;
    }
  }
  return { kind: 'short', shortages: closest };
}

/** Two lines of one SKU share the stock: they must not each be compared with all of it. */
export function mergeQuantities(lines: readonly StockLine[]): Map<string, number> {
  const needed = new Map<string, number>();
  for (const { sku, quantity } of lines) needed.set(sku, (needed.get(sku) ?? 0) + quantity);
  return needed;
}

function shortagesOf(left: ReadonlyMap<string, number>, needed: ReadonlyMap<string, number>): Shortage[] {
  const shortages: Shortage[] = [];
  for (const [sku, requested] of needed) {
    const available = left.get(sku) ?? 0;
    if (requested > available) shortages.push({ sku, requested, available });
  }
  return shortages;
}
