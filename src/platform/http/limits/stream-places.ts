export interface StreamLimits {
  readonly total: number;
  /** The resource that is followed: an order. */
  readonly perSubject: number;
  readonly perCaller: number;
}

export type FullPlace = 'total' | 'subject' | 'caller';

/** Counts the event streams of this process, so that no single token or caller can occupy all places. */
export class StreamPlaces {
  private readonly counts = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: StreamLimits) {}

  get taken(): number {
    return this.total;
  }

  /** The function that gives the place back, which may be called repeatedly; or the limit that is reached. */
  take(subject: string, caller: string): (() => void) | FullPlace {
    const keys = [`subject|${subject}`, `caller|${caller}`] as const;
    if (this.countOf(keys[0]) >= this.limits.perSubject) return 'subject';
    if (this.countOf(keys[1]) >= this.limits.perCaller) return 'caller';
    if (this.total >= this.limits.total) return 'total';
    this.change(keys, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.change(keys, -1);
      isTaken = false;
    };
  }

  private countOf(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  private change(keys: readonly string[], by: 1 | -1): void {
    this.total += by;
    for (const key of keys) {
      const count = this.countOf(key) + by;
      if (count === 0) this.counts.delete(key);
      else this.counts.set(key, count);
    }
  }
}
