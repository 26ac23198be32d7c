/**
 * The store's wall clock, as far as its answers show it, carried on by the monotonic clock in between: what the clock of
 * this machine says does not count. Never goes back. It dates tokens and queues; no lease ends by it.
 */
export class StoreClock {
  private offsetUs: number | undefined;

  /** The store's clock has shown at least this much by now, and less than `withinUs` more. */
  observe(storeUs: number, withinUs = 0): void {
    const monotonicUs = performance.now() * 1_000;
    // A store that says only the second: the rest comes from our clock, if it is right within that second.
    const ownUs = (performance.timeOrigin + performance.now()) * 1_000;
    const startUs = Math.min(Math.max(storeUs, ownUs), storeUs + withinUs);
    this.offsetUs ??= startUs - monotonicUs;
    this.offsetUs = Math.max(this.offsetUs, storeUs - monotonicUs);
  }

  get isKnown(): boolean {
    return this.offsetUs !== undefined;
  }

  nowUs(): number {
    if (this.offsetUs === undefined) throw new Error('the lock store has not shown its clock yet');
    return Math.floor(performance.now() * 1_000 + this.offsetUs);
  }
}
