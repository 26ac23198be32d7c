import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { Metrics } from '../platform/metrics/metrics.js';

export type FailedOutcome = 'timeout' | 'aborted' | 'unavailable';
export type BreakerState = 'closed' | 'open' | 'returning';

const BREAKER_VALUES: Record<BreakerState, number> = { closed: 0, returning: 1, open: 2 };

/** What every lock of a family counts. prom-client hashes the labels of every observation; children that are kept do not. */
export interface FamilyMetrics {
  readonly granted: Counter.Internal;
  readonly inherited: Counter.Internal;
  readonly wait: Histogram.Internal<'family'>;
  readonly hold: Histogram.Internal<'family'>;
}

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
  private readonly families = new Map<string, FamilyMetrics>();

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

  ofKey(key: string): FamilyMetrics {
    const family = familyOf(key);
    let known = this.families.get(family);
    if (!known) {
      known = {
        granted: this.acquisitions.labels({ family, outcome: 'granted' }),
        inherited: this.acquisitions.labels({ family, outcome: 'inherited' }),
        wait: this.waits.labels({ family }),
        hold: this.holds.labels({ family }),
      };
      this.families.set(family, known);
    }
    return known;
  }

  failed(key: string, outcome: FailedOutcome): void {
    const family = familyOf(key);
    this.acquisitions.inc({ family, outcome });
    if (outcome !== 'timeout') return;
    this.timeouts.inc({ family });
    if (family.startsWith('payment:')) this.paymentTimeouts.inc();
  }

  renewed(key: string, outcome: string): void {
    this.renewals.inc({ family: familyOf(key), outcome });
  }

  lost(key: string): void {
    this.losses.inc({ family: familyOf(key) });
  }

  conflicted(key: string): void {
    this.conflicts.inc({ family: familyOf(key) });
  }

  breakerMoved(to: BreakerState): void {
    this.breakerState.set(BREAKER_VALUES[to]);
    this.breakerTransitions.inc({ to });
  }
}

/** The first two segments: a label with few values, where the key itself would be one time series per order. */
export function familyOf(key: string): string {
  const first = key.indexOf(':');
  if (first < 0) return 'other';
  const second = key.indexOf(':', first + 1);
  return second < 0 ? 'other' : key.slice(0, second);
}
