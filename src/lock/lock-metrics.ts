import { Injectable } from '@nestjs/common';
import { Metrics } from '../infrastructure/metrics/metrics.js';

export type AcquisitionOutcome = 'granted' | 'inherited' | 'timeout' | 'aborted' | 'unavailable';
export type BreakerState = 'closed' | 'open' | 'returning';

const BREAKER_VALUES: Record<BreakerState, number> = { closed: 0, returning: 1, open: 2 };

/** Labels are key families, never keys. */
@Injectable()
export class LockMetrics {
  private readonly acquisitions;
  private readonly waits;
  private readonly holds;
  private readonly renewals;
  private readonly losses;
  private readonly conflicts;
  private readonly timeouts;
  private readonly paymentTimeouts;
  private readonly breakerState;
  private readonly breakerTransitions;

  constructor(metrics: Metrics) {
    this.acquisitions = metrics.counter('lock_acquisitions_total', 'Lock requests by how they ended', [
      'family',
      'outcome',
    ]);
    this.waits = metrics.histogram('lock_wait_seconds', 'Time from the request to the grant', ['family']);
    this.holds = metrics.histogram('lock_hold_seconds', 'Time for which the work held the lock', ['family']);
    this.renewals = metrics.counter('lock_renewals_total', 'Renewals of leases', ['family', 'outcome']);
    this.losses = metrics.counter('lock_losses_total', 'Leases that ended before the work', ['family']);
    this.conflicts = metrics.counter('lock_conflicts_total', 'Attempts that met a lock held elsewhere', ['family']);
    this.timeouts = metrics.counter('lock_timeouts_total', 'Requests whose wait was over before the grant', ['family']);
    this.paymentTimeouts = metrics.counter('payment_lock_timeout_total', 'Lock timeouts of payment operations');
    this.breakerState = metrics.gauge('lock_breaker_state', '0 closed, 1 returning, 2 open');
    this.breakerTransitions = metrics.counter('lock_breaker_transitions_total', 'Changes of the breaker', ['to']);
  }

  ended(family: string, outcome: AcquisitionOutcome): void {
    this.acquisitions.inc({ family, outcome });
    if (outcome !== 'timeout') return;
    this.timeouts.inc({ family });
    if (family.startsWith('payment:')) this.paymentTimeouts.inc();
  }

  waited(family: string, ms: number): void {
    this.waits.observe({ family }, ms / 1_000);
  }

  held(family: string, ms: number): void {
    this.holds.observe({ family }, ms / 1_000);
  }

  renewed(family: string, outcome: string): void {
    this.renewals.inc({ family, outcome });
  }

  lost(family: string): void {
    this.losses.inc({ family });
  }

  conflicted(family: string): void {
    this.conflicts.inc({ family });
  }

  breakerMoved(to: BreakerState): void {
    this.breakerState.set(BREAKER_VALUES[to]);
    this.breakerTransitions.inc({ to });
  }
}
