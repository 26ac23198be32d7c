import {
  type AcquireRequest,
  type Busy,
  type Granted,
  type Holding,
  isHeirOf,
  type LockDriver,
  type LockSignals,
  type Renewal,
} from '../../src/lock/lock-driver.js';

/** A store in memory for tests of what lies above the drivers; it can be told to fail. */
export class MemoryDriver implements LockDriver {
  readonly name = 'memory';
  readonly isOrdered = true;
  readonly drift = 0;
  readonly calls: string[] = [];
  failure: Error | undefined;
  /** Of as many releases. */
  failingReleases = 0;
  renewal: Renewal | undefined;
  signals: LockSignals | undefined;
  private readonly holders = new Map<string, string>();
  private token = 0n;

  start(signals: LockSignals): Promise<void> {
    this.signals = signals;
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  acquire({ keys, owner, floor, since, heirOf }: AcquireRequest): Promise<Granted | Busy> {
    this.calls.push('acquire');
    if (this.failure) return Promise.reject(this.failure);
    const blocked = keys.filter((key) => this.isBusy(key, heirOf));
    if (blocked.length > 0) {
      return Promise.resolve({ isGranted: false, since: Math.max(since, 1), retryMs: 20, blocked, driver: this });
    }
    for (const key of keys) this.holders.set(key, owner);
    this.token = floor > this.token ? floor + 1n : this.token + 1n;
    return Promise.resolve({ isGranted: true, token: this.token, isContended: false, driver: this });
  }

  renew({ keys, owner }: Holding): Promise<Renewal> {
    this.calls.push('renew');
    if (this.failure) return Promise.reject(this.failure);
    const isLost = keys.some((key) => this.holders.get(key) !== owner);
    return Promise.resolve(this.renewal ?? (isLost ? 'lost' : 'renewed'));
  }

  release({ keys, owner, token }: Holding): Promise<void> {
    this.calls.push('release');
    this.failingReleases -= 1;
    if (this.failingReleases >= 0) return Promise.reject(new Error('the store is away'));
    if (token > this.token) this.token = token;
    for (const key of keys) if (this.holders.get(key) === owner) this.holders.delete(key);
    return Promise.resolve();
  }

  isHeld(keys: readonly string[], heirOf = ''): Promise<boolean> {
    if (this.failure) return Promise.reject(this.failure);
    return Promise.resolve(keys.some((key) => this.isBusy(key, heirOf)));
  }

  private isBusy(key: string, heirOf: string): boolean {
    const holder = this.holders.get(key);
    return holder !== undefined && !isHeirOf(heirOf, holder);
  }

  list(): Promise<never[]> {
    return Promise.resolve([]);
  }
}
