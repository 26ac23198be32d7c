import { LeaseLostError } from './lock-errors.js';

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

/** The clock of a lease: renewals extend it, but not beyond the deadline. */
export interface LeaseClock {
  readonly deadline: number;
  readonly loss: LeaseLostError | undefined;
}

/**
 * The lease of one piece of work. The signal is created on first use, because most work ends long before it matters.
 */
export class WorkLease implements Lease {
  private controller: AbortController | undefined;
  private end: LeaseLostError | undefined;
  private isClosed = false;

  constructor(
    readonly token: bigint,
    private readonly clock: LeaseClock,
  ) {}

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      const loss = this.loss();
      if (loss) this.controller.abort(loss);
    }
    return this.controller.signal;
  }

  assertHeld(): void {
    const loss = this.loss();
    if (loss) throw loss;
  }

  remainingMs(): number {
    return this.isClosed || this.end || this.clock.loss ? 0 : Math.max(0, this.clock.deadline - performance.now());
  }

  /** The lock is lost: aborts the work's signal. */
  abort(loss: LeaseLostError): void {
    this.end ??= loss;
    this.controller?.abort(loss);
  }

  /** The work is done: a lease that is kept longer is useless. */
  close(): void {
    this.isClosed = true;
  }

  private loss(): LeaseLostError | undefined {
    if (this.end ?? this.clock.loss) return this.end ?? this.clock.loss;
    if (this.isClosed) return new LeaseLostError('the lease was released');
    return performance.now() < this.clock.deadline ? undefined : new LeaseLostError('the lease expired');
  }
}

/** The lease of work that locks nothing. */
export function unboundLease(): Lease {
  return {
    token: 0n,
    signal: new AbortController().signal,
    assertHeld: () => undefined,
    remainingMs: () => Number.POSITIVE_INFINITY,
  };
}
