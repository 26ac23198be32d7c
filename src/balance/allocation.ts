/** How much of every balance is wanted, by the balance's key. */
export type Quantities = ReadonlyMap<string, number>;

export interface AllocationRequest {
  /** In order of preference. One of them is granted completely, or nothing is. */
  readonly alternatives: readonly Quantities[];
}

export interface BalanceShortage {
  readonly key: string;
  readonly requested: number;
  readonly available: number;
}

export type AllocationVerdict =
  | { readonly kind: 'granted'; readonly alternative: number }
  | { readonly kind: 'short'; readonly shortages: readonly BalanceShortage[] };

/**
 * Decides who gets the last of contended balances (stock, redemptions of a coupon, what a customer may have): requests are
 * served in order of arrival, each completely or not at all. A pure function, because it runs for a whole batch while the
 * rows are locked; the result is written in one statement per table. A refused request names every balance of the
 * alternative that came closest. A balance that is not in `available` has nothing.
 */
export function allocate(available: Quantities, requests: readonly AllocationRequest[]): readonly AllocationVerdict[] {
  const left = new Map(available);
  return requests.map((request) => serve(left, request));
}

function serve(left: Map<string, number>, request: AllocationRequest): AllocationVerdict {
  let closest: readonly BalanceShortage[] = [];
  let closestMissing = Number.POSITIVE_INFINITY;
  for (const [alternative, wanted] of request.alternatives.entries()) {
    const shortages = shortagesOf(left, wanted);
    if (shortages.length === 0) {
      for (const [key, quantity] of wanted) left.set(key, (left.get(key) ?? 0) - quantity);
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

function shortagesOf(left: Quantities, wanted: Quantities): BalanceShortage[] {
  const shortages: BalanceShortage[] = [];
  for (const [key, requested] of wanted) {
    const available = left.get(key) ?? 0;
    if (requested > available) shortages.push({ key, requested, available });
  }
  return shortages;
}

export interface DrawRequest {
  readonly amount: number;
  /** Drawn from in this order, each as far as it goes. */
  readonly keys: readonly string[];
  /** Nothing else can pay the rest: all of the amount is drawn, or nothing. */
  readonly isWhole: boolean;
}

/**
 * The amount drawn from each key, in the order of the keys; undefined if a request that needs the whole amount cannot
 * have it.
 */
export type Drawn = readonly number[] | undefined;

/**
 * The same decision for balances that may be drawn partially: each request gets as much as is left, in order of
 * arrival.
 */
export function draw(available: Quantities, requests: readonly DrawRequest[]): readonly Drawn[] {
  const left = new Map(available);
  return requests.map(({ amount, keys, isWhole }) => {
    let rest = amount;
    const drawn = keys.map((key) => {
      const part = Math.min(rest, Math.max(0, left.get(key) ?? 0));
      rest -= part;
      return part;
    });
    if (isWhole && rest > 0) return undefined;
    keys.forEach((key, index) => left.set(key, (left.get(key) ?? 0) - (drawn[index] ?? 0)));
    return drawn;
  });
}

/** Two requests for one balance share it: neither may be compared with all of it. */
export function addUp(wishes: Iterable<readonly [key: string, quantity: number]>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [key, quantity] of wishes) sums.set(key, (sums.get(key) ?? 0) + quantity);
  return sums;
}
