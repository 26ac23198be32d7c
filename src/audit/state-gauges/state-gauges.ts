import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { PacedReading } from '../../platform/metrics/paced-reading.js';
import { CREDIT_HOLD_STATES } from '../../credit/credit-hold-state.js';
import { RESERVATION_TRANSITIONS } from '../../inventory/reservation/reservation.js';
import { ORDER_TRANSITIONS } from '../../orders/order-state.js';
import { PAYMENT_TRANSITIONS, REFUND_TRANSITIONS } from '../../payment/payment-state.js';
import { SagaRegistry } from '../../saga/saga-registry.js';
import { SAGA_TRANSITIONS } from '../../saga/saga-state.js';
import { StateCount, StateCountsRepository } from './state-counts.repository.js';

type Label = 'saga' | 'state';

const STATES: Readonly<Record<string, readonly string[]>> = {
  orders_by_state: Object.keys(ORDER_TRANSITIONS),
  payments_by_state: Object.keys(PAYMENT_TRANSITIONS),
  refunds_by_state: Object.keys(REFUND_TRANSITIONS),
  credit_holds_by_state: CREDIT_HOLD_STATES,
  reservations_by_state: Object.keys(RESERVATION_TRANSITIONS),
};

const HELP: Readonly<Record<string, string>> = {
  orders_by_state: 'Orders in the database',
  payments_by_state: 'Payments in the database',
  refunds_by_state: 'Refunds in the database',
  credit_holds_by_state: 'Parts of orders that accounts pay, in the database',
  reservations_by_state: 'Reservations in the database',
  payments_in_doubt_oldest_age_seconds: 'Since when the oldest payment in doubt has not been decided',
  authorizations_expiring: 'Payments whose authorisation ends within a day and that are not captured',
  authorizations_expired: 'Confirmed orders whose authorisation has ended before it was captured',
  disputes_open: 'Payments that a customer disputes and whose bank has not decided yet',
  sagas_overdue: 'Open sagas that nobody has driven for a minute past their lease or deadline',
  reservations_overdue: 'Holds past their end that were not freed yet',
  webhook_inbox_pending: 'Provider events received and not processed yet',
  webhook_inbox_oldest_age_seconds: 'Age of the oldest provider event that was not processed yet',
  webhook_inbox_dead: 'Provider events that were given up',
  outbox_unpublished: 'Domain events that were not handed to delivery yet',
  outbox_oldest_age_seconds: 'Age of the oldest domain event that was not handed to delivery yet',
};

/**
 * Gauges that are read from the database at a scrape. A process's counters restart at 0, and a crash between a commit
 * and its count loses one; these gauges do neither, and are the same on every instance.
 */
@Injectable()
export class StateGauges implements OnModuleInit {
  private readonly logger = new Logger(StateGauges.name);
  private readonly gauges = new Map<string, Gauge<Label>>();
  private readonly readings: Readonly<Record<string, PacedReading<StateCount[]>>>;
  private readonly failures;
  private readonly ages;

  constructor(
    private readonly metrics: Metrics,
    private readonly registry: SagaRegistry,
    counts: StateCountsRepository,
    transactions: TransactionRunner,
  ) {
    for (const [name, help] of Object.entries(HELP)) {
      this.gauges.set(name, metrics.gauge<Label>(name, help, name in STATES ? ['state'] : []));
    }
    this.gauges.set(
      'sagas_by_state',
      metrics.gauge<Label>('sagas_by_state', 'Sagas in the database', ['saga', 'state']),
    );
    this.failures = metrics.counter('state_reading_failures_total', 'Readings of the database that failed', [
      'reading',
    ]);
    this.ages = metrics.gauge('state_reading_age_seconds', 'Age of what the gauges of the database show', ['reading']);
    this.readings = {
      open: new PacedReading(
        () => transactions.survey((tx) => counts.open(tx)),
        (reason) => this.failed('open', reason),
      ),
      all: new PacedReading(
        () => transactions.survey((tx) => counts.all(tx)),
        (reason) => this.failed('all', reason),
      ),
    };
  }

  onModuleInit(): void {
    this.metrics.onScrape(() => this.refresh());
  }

  private async refresh(): Promise<void> {
    const readings = await Promise.all(Object.values(this.readings).map((reading) => reading.latest()));
    if (readings.every((reading) => reading !== undefined)) this.clear();
    for (const count of readings.flatMap((reading) => reading ?? [])) this.show(count);
    for (const [reading, { ageSeconds }] of Object.entries(this.readings)) {
      if (ageSeconds !== undefined) this.ages.set({ reading }, ageSeconds);
    }
  }

  /** A state without rows is a 0, not a gap, because an alert on a gap never fires. */
  private clear(): void {
    for (const [name, states] of Object.entries(STATES)) {
      for (const state of states) this.gauges.get(name)?.set({ state }, 0);
    }
    for (const saga of this.registry.names()) {
      for (const state of Object.keys(SAGA_TRANSITIONS)) this.gauges.get('sagas_by_state')?.set({ saga, state }, 0);
    }
  }

  private show({ metric, saga, state, value }: StateCount): void {
    const labels = { ...(saga !== null && { saga }), ...(state !== null && { state }) };
    this.gauges.get(metric)?.set(labels, value);
  }

  private failed(reading: string, reason: string): void {
    this.failures.inc({ reading });
    this.logger.warn(`could not read the states for the metrics: ${reason}`);
  }
}
