/** The lock, as the work under it sees it. */
export interface Lease {
  /** Greater than every token given out before for any of the keys. Writes carry it: `fence <= token`. */
  readonly token: bigint;
  /** Aborts at the lease's own deadline, also when the store hangs, or earlier if the store gave the key away. */
  readonly signal: AbortSignal;
  /**
   * Throws LeaseLostError unless the lock is certainly held. Reads the clock, so that a late timer cannot hide the end.
   */
  assertHeld(): void;
  remainingMs(): number;
}
