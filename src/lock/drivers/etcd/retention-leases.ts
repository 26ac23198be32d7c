import type { EtcdClient } from './etcd-client.js';

/**
 * How long a record outlives its last change, at least. A free one keeps its last token for so long; that only matters
 * if the store's clock goes back, as a token is never below the clock.
 */
const RETENTION_MS = 300_000;

interface Retention {
  readonly useUntil: number;
  readonly id: Promise<string>;
}

/**
 * Leases of etcd, by which it forgets records that nobody uses any more: payment locks are one key per order. They are
 * not the leases of the locks, which end to the millisecond; etcd's are whole seconds, two at least.
 */
export class RetentionLeases {
  private readonly current = new Map<number, Retention>();

  constructor(private readonly client: EtcdClient) {}

  /** Its records are kept for longer than a lock of this length, and then for the retention. */
  idFor(leaseMs: number): Promise<string> {
    const units = Math.ceil(leaseMs / RETENTION_MS);
    const known = this.current.get(units);
    if (known && performance.now() < known.useUntil) return known.id;
    const id = this.grant(((units + 2) * RETENTION_MS) / 1_000);
    this.current.set(units, { useUntil: performance.now() + RETENTION_MS, id });
    id.catch(() => this.forget());
    return id;
  }

  /** etcd does not know them any more. */
  forget(): void {
    this.current.clear();
  }

  private async grant(seconds: number): Promise<string> {
    const { body } = await this.client.call<{ ID: string }>('lease/grant', { TTL: seconds });
    return body.ID;
  }
}
