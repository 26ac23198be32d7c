import type { LockRecord } from './lock-record.js';

const MAX_OBSERVED = 10_000;

/**
 * Ends leases without a common clock. A lease that was not renewed for its whole length, by our monotonic clock and since
 * we first saw it, has expired: its holder counts from before it wrote the record, so its own deadline came earlier.
 * Whoever takes it over does so by a commit that lands only if the record is still the one that was read.
 */
export class LeaseObserver {
  private readonly seen = new Map<string, { readonly lease: string; readonly at: number }>();

  /** What is left of the lease, 0 if it is over or if nobody holds the key. */
  leftMs(key: string, record: LockRecord): number {
    if (record.state === 'free') return 0;
    const now = performance.now();
    const known = this.seen.get(key);
    const lease = `${record.state} ${record.owner} ${record.token.toString()} ${record.beat}`;
    if (known?.lease === lease) return Math.max(0, known.at + record.leaseMs - now);
    this.seen.delete(key);
    this.seen.set(key, { lease, at: now });
    if (this.seen.size > MAX_OBSERVED) this.forgetOldest();
    return record.leaseMs;
  }

  private forgetOldest(): void {
    for (const key of this.seen.keys()) {
      this.seen.delete(key);
      return;
    }
  }
}
