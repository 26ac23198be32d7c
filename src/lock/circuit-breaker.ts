import type { BreakerState } from './lock-metrics.js';

export interface BreakerOptions {
  /** The number of consecutive failures that opens it. */
  readonly threshold: number;
  /** How long the store must have answered probes, without a failure, before it is used again: the longest lease. */
  readonly healthyForMs: number;
}

/**
 * closed → open after a run of failures; open → returning when probes have succeeded for longer than the longest lease,
 * so that no lease from before the failure is alive; returning → closed after the same time, in which leases that the
 * fallback granted end. Pure: the clock and the probes come from outside.
 */
export class CircuitBreaker {
  private current: BreakerState = 'closed';
  private failures = 0;
  private healthySince: number | undefined;
  private returningSince = 0;

  constructor(
    private readonly options: BreakerOptions,
    private readonly onMove: (to: BreakerState) => void,
  ) {}

  state(now: number): BreakerState {
    if (this.current === 'returning' && now - this.returningSince >= this.options.healthyForMs) this.move('closed');
    return this.current;
  }

  /** Whether the last probe of an open breaker succeeded. */
  get isHealthy(): boolean {
    return this.healthySince !== undefined;
  }

  succeeded(now: number): void {
    this.failures = 0;
    if (this.current !== 'open') return;
    this.healthySince ??= now;
    if (now - this.healthySince < this.options.healthyForMs) return;
    this.returningSince = now;
    this.move('returning');
  }

  /** A decisive failure is enough by itself. */
  failed(isDecisive = false): void {
    this.healthySince = undefined;
    this.failures += 1;
    if (this.current !== 'open' && (isDecisive || this.failures >= this.options.threshold)) this.move('open');
  }

  private move(to: BreakerState): void {
    this.current = to;
    this.failures = 0;
    this.onMove(to);
  }
}
