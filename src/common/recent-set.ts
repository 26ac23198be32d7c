/** Remembers the last items, at least `capacity` of them and at most twice as many. */
export class RecentSet<T> {
  private current = new Set<T>();
  private previous = new Set<T>();

  constructor(private readonly capacity: number) {}

  /** Whether the item is new. */
  add(item: T): boolean {
    if (this.current.has(item) || this.previous.has(item)) return false;
    if (this.current.size >= this.capacity) {
      this.previous = this.current;
      this.current = new Set();
    }
    this.current.add(item);
    return true;
  }
}
