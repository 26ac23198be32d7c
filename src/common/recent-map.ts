/** Remembers the last entries, at least `capacity` of them and at most twice as many. */
export class RecentMap<K, V> {
  private current = new Map<K, V>();
  private previous: ReadonlyMap<K, V> = new Map();

  constructor(private readonly capacity: number) {}

  set(key: K, value: V): void {
    if (!this.current.has(key) && this.current.size >= this.capacity) {
      this.previous = this.current;
      this.current = new Map();
    }
    this.current.set(key, value);
  }

  get(key: K): V | undefined {
    return this.current.get(key) ?? this.previous.get(key);
  }

  has(key: K): boolean {
    return this.current.has(key) || this.previous.has(key);
  }
}
