/** Keys that another process holds for suspiciously long, as somebody here who waits for them has found out. */
export class BlockedKeys {
  private readonly keysOf = new Map<object, readonly string[]>();
  private readonly waitersOf = new Map<string, number>();

  /** Of whoever waits for them: replaces what was known through it before. */
  add(waiter: object, keys: readonly string[]): void {
    this.remove(waiter);
    this.keysOf.set(waiter, keys);
    for (const key of keys) this.waitersOf.set(key, (this.waitersOf.get(key) ?? 0) + 1);
  }

  /** It waits no longer. */
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
