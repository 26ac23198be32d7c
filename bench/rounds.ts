/** The median of alternating rounds, and how far they lie apart. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: medianOf(values), min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]!
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The median of the rounds, and between which figures they lie. */
export function spreadText({ median, min, max }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

/** Round by round: what disturbs the machine for a while disturbs both of a round. */
export function ratioOf(ours: readonly number[], others: readonly number[]): Spread {
  return spreadOf(ours.flatMap((value, round) => (others[round] === undefined ? [] : [value / others[round]])));
}

/** Members that are numbers (also one level below) by their own medians; of the others, the last round's. */
export function medianRound<T extends object>(rounds: readonly T[]): T {
  const last = rounds.at(-1) as T;
  const entries = Object.entries(last).map(([name, value]: [string, unknown]) => {
    const values = rounds.map((round) => (round as Record<string, unknown>)[name]);
    if (typeof value === 'number') return [name, medianOf(values.filter((one) => typeof one === 'number'))];
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [name, isRecord ? medianRound(values as object[]) : value];
  });
  return Object.fromEntries(entries) as T;
}

/**
 * Everybody has a turn in each round before the next round begins, so that a temporary disturbance hits neighbours
 * alike.
 */
export async function takeTurns<P, M>(
  points: readonly P[],
  rounds: number,
  measure: (point: P, round: number) => Promise<M>,
): Promise<M[][]> {
  const measured = points.map((): M[] => []);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, point] of points.entries()) measured[index]!.push(await measure(point, round));
  }
  return measured;
}
