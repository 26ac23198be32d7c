export interface SnapshotCacheOptions {
  /** A value is read again when its reading began longer ago than this. */
  readonly maxAgeMs: number;
  readonly maxKeys: number;
  /** From so many readers of a key per second on, a value that was touched is still used for `touchedAgeMs`. */
  readonly crowdPerSecond: number;
  readonly touchedAgeMs: number;
}

interface Loading<V> {
  readonly promise: Promise<V>;
  readonly readAt: number;
  readonly touches: number;
}

interface Entry<V> {
  value:
    { readonly it: V; readonly readAt: number; readonly readBeforeAt: number; readonly touches: number } | undefined;
  loading: Loading<V> | undefined;
  touches: number;
  second: number;
  readsThisSecond: number;
  readsLastSecond: number;
}

/**
 * Values that many read and that may be a moment old. However many readers come, a key is read once per `maxAgeMs`, by
 * one of them, and once more where it was touched meanwhile. While few come, a reader sees all that was touched before it
 * asked: what this process has changed.
 */
export class SnapshotCache<V> {
  private readonly entries = new Map<string, Entry<V>>();

  constructor(
    private readonly load: (key: string) => Promise<V>,
    private readonly options: SnapshotCacheOptions,
  ) {}

  /** With `isPatient` as in a crowd. */
  async get(key: string, isPatient = false): Promise<V> {
    const entry = this.entryOf(key);
    const isRelaxed = countRead(entry) >= this.options.crowdPerSecond || isPatient;
    for (;;) {
      const { value, loading } = entry;
      const isTouched = value?.touches !== entry.touches;
      if (value && (isTouched ? isRelaxed && this.mayWait(value) : this.isYoung(value.readAt))) return value.it;
      if (!loading) return this.refresh(key, entry);
      if (isRelaxed || loading.touches === entry.touches) return loading.promise;
      await loading.promise.catch(() => undefined); // it may have begun before what the reader knows of
    }
  }

  /** The value of a reading that began no earlier than that; all who wait for one share the next. */
  async getSince(key: string, since: number): Promise<V> {
    const entry = this.entryOf(key);
    for (;;) {
      const { value, loading } = entry;
      if (value && value.readAt >= since) return value.it;
      if (!loading) return this.refresh(key, entry);
      if (loading.readAt >= since) return loading.promise;
      await loading.promise.catch(() => undefined);
    }
  }

  /** What is kept, however old. */
  *kept(): Iterable<readonly [string, V]> {
    for (const [key, { value }] of this.entries) if (value) yield [key, value.it];
  }

  clear(): void {
    this.entries.clear();
  }

  touch(key: string): void {
    const entry = this.entries.get(key);
    if (entry) entry.touches += 1;
  }

  private refresh(key: string, entry: Entry<V>): Promise<V> {
    const { touches } = entry;
    const readAt = performance.now();
    const promise = this.load(key).then(
      (it) => {
        entry.value = { it, readAt, readBeforeAt: entry.value?.readAt ?? -Infinity, touches };
        entry.loading = undefined;
        return it;
      },
      (error: unknown) => {
        entry.loading = undefined;
        throw error;
      },
    );
    entry.loading = { promise, readAt, touches };
    return promise;
  }

  private isYoung(readAt: number): boolean {
    return performance.now() - readAt < this.options.maxAgeMs;
  }

  /** Of a value that was touched: no more than two readings in `maxAgeMs`, and the second not at once. */
  private mayWait({ readAt, readBeforeAt }: { readonly readAt: number; readonly readBeforeAt: number }): boolean {
    if (!this.isYoung(readAt)) return false;
    return performance.now() - readAt < this.options.touchedAgeMs || this.isYoung(readBeforeAt);
  }

  /** In order of use: the one that was not read for longest makes room. */
  private entryOf(key: string): Entry<V> {
    const known = this.entries.get(key);
    if (known) this.entries.delete(key);
    else if (this.entries.size >= this.options.maxKeys) this.entries.delete(this.entries.keys().next().value ?? key);
    const entry = known ?? {
      value: undefined,
      loading: undefined,
      touches: 0,
      second: 0,
      readsThisSecond: 0,
      readsLastSecond: 0,
    };
    this.entries.set(key, entry);
    return entry;
  }
}

/** Reads of this second or the last, whichever were more. */
function countRead(entry: Entry<unknown>): number {
  const second = Math.floor(performance.now() / 1_000);
  if (second !== entry.second) {
    entry.readsLastSecond = second === entry.second + 1 ? entry.readsThisSecond : 0;
    entry.readsThisSecond = 0;
    entry.second = second;
  }
  entry.readsThisSecond += 1;
  return Math.max(entry.readsThisSecond, entry.readsLastSecond);
}
