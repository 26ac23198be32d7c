/** Keys that another process has held for suspiciously long, as found by a local request that waits for them. */
export class BlockedKeys {
  private readonly keysOf = new Map<object, readonly string[]>();
  private readonly waitersOf = new Map<string, number>();

  /** Reported by a waiting request; replaces its previous report. */
  add(waiter: object, keys: readonly string[]): void {
    this.remove(waiter);
    this.keysOf.set(waiter, keys);
    for (const key of keys) this.waitersOf.set(key, (this.waitersOf.get(key) ?? 0) + 1);
  }

  /** The request no longer waits. */
  remove(waiter: object): void {
    for (const key of this.keysOf.get(waiter) ?? []) {
      const left = (this.waitersOf.get(key) ?? 1) - 1;
      if (left > 0) this.waitersOf.set(key, left);
      else this.waitersOf.delete(key);
    }
    this.keysOf.delete(waiter);
  }

  has(waiter: object): boolean {
    return this.keysOf.has(waiter);
  }

  includes(key: string): boolean {
    return this.waitersOf.has(key);
  }
}
