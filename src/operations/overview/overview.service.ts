import { Inject, Injectable, Logger } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { PacedReading } from '../../platform/metrics/paced-reading.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { type StateCount, StateCountsRepository } from '../../audit/state-gauges/state-counts.repository.js';
import { Backlogs } from './backlogs.js';
import { addCounts, type BreakerView, quantileMs, sum } from './instance-sample.js';
import type { Overview } from './overview.dto.js';
import { type InstanceRow, OverviewRepository, type SagaCount, type SampleRow } from './overview.repository.js';
import { latencyOf, ratesOf, seriesOf, totalOf } from './series.js';

const SERIES_SECONDS = 600;
const RATE_SECONDS = 60;
/** Heartbeats come every few seconds. */
const SILENT_MS = 15_000;
const BREAKERS: readonly BreakerView[] = ['closed', 'returning', 'open'];

/**
 * The service as a whole: the counts of all instances and the contents of the database. Each part is read as often as
 * its cost allows.
 */
@Injectable()
export class OverviewService {
  private readonly logger = new Logger(OverviewService.name);
  private readonly reading: PacedReading<Overview>;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly overviews: OverviewRepository,
    private readonly states: StateCountsRepository,
    private readonly backlogs: Backlogs,
  ) {
    this.reading = new PacedReading(
      () => this.read(),
      (reason) => this.logger.warn(`the overview could not be read: ${reason}`),
    );
  }

  /** At most a few seconds old, however many clients ask. */
  async latest(): Promise<Overview> {
    return (await this.reading.latest()) ?? this.read();
  }

  private async read(): Promise<Overview> {
    const [rows, stock, { locks, deliveries, bulkRuns }] = await Promise.all([
      this.transactions.read((db) =>
        Promise.all([
          this.overviews.samples(db, SERIES_SECONDS),
          this.overviews.instances(db),
          this.overviews.sagas(db),
          this.overviews.inDoubt(db),
          this.states.open(db),
        ]),
      ),
      this.transactions.survey((tx) => this.overviews.held(tx)),
      this.backlogs.read(),
    ]);
    const [samples, instances, sagas, inDoubt, open] = rows;
    const now = Date.now();
    const recent = samples.filter(({ at }) => at.getTime() > now - RATE_SECONDS * 1_000);
    const perSecond = ratesOf(recent, RATE_SECONDS);
    const lastOf = new Map(samples.map((row) => [row.instanceId, row]));
    return {
      at: new Date(now).toISOString(),
      isSandbox: this.config.payment.gateway === 'sandbox' && !this.config.isProduction,
      rates: { seconds: RATE_SECONDS, perSecond, total: totalOf(perSecond) },
      latency: latencyOf(recent.map(({ sample }) => sample)),
      series: seriesOf(samples, now, SERIES_SECONDS),
      sagas: sagasOf(sagas),
      inDoubt: { count: inDoubt.count, oldestAt: inDoubt.oldestAt?.toISOString() ?? null },
      stock: { heldUnits: stock.units, heldSkus: stock.skus, soldOutSkus: stock.soldOut },
      locks: {
        driver: this.config.lock.driver,
        breaker: worst([...lastOf.values()].map(({ sample }) => sample.breaker)),
        held: locks.length,
        waiters: sum(locks.map(({ waiters }) => waiters)),
        waitP99Ms: quantileMs(addCounts(recent.map(({ sample }) => sample.lockWaits)), 0.99) ?? null,
        timeouts: sum(recent.map(({ sample }) => sample.lockTimeouts)),
      },
      queues: {
        callbacks: backlogOf(open, 'webhook_inbox_pending', 'webhook_inbox_oldest_age_seconds'),
        events: backlogOf(open, 'outbox_unpublished', 'outbox_oldest_age_seconds'),
        deliveries: {
          waiting: deliveries.open,
          oldestSeconds: Math.round(deliveries.lagSeconds),
          dead: deliveries.dead,
        },
      },
      instances: instances.map((instance) => {
        const held = locks.filter(({ owner }) => owner.startsWith(`${instance.id}.`)).length;
        const own = recent.filter(({ instanceId }) => instanceId === instance.id);
        return toInstance(instance, sagas, held, own, lastOf.get(instance.id));
      }),
      bulkRuns,
    };
  }
}

function sagasOf(counts: readonly SagaCount[]): Overview['sagas'] {
  const inState = (state: string) => sum(counts.filter((each) => each.state === state).map(({ count }) => count));
  return {
    RUNNING: inState('RUNNING'),
    WAITING: inState('WAITING'),
    COMPENSATING: inState('COMPENSATING'),
    STUCK: inState('STUCK'),
    overdue: sum(counts.map(({ overdue }) => overdue)),
  };
}

function toInstance(
  { silentMs, startedAt, seenAt, ...instance }: InstanceRow,
  sagas: readonly SagaCount[],
  locks: number,
  recent: readonly SampleRow[],
  last: SampleRow | undefined,
): Overview['instances'][number] {
  return {
    ...instance,
    isSilent: silentMs > SILENT_MS,
    startedAt: startedAt.toISOString(),
    seenAt: seenAt.toISOString(),
    sagas: sum(sagas.filter(({ owner }) => owner === instance.id).map(({ count }) => count)),
    locks,
    perSecond: totalOf(ratesOf(recent, RATE_SECONDS)),
    breaker: last?.sample.breaker ?? null,
  };
}

function backlogOf(counts: readonly StateCount[], waiting: string, age: string) {
  const valueOf = (metric: string) => counts.find((count) => count.metric === metric)?.value ?? 0;
  return { waiting: valueOf(waiting), oldestSeconds: Math.round(valueOf(age)) };
}

function worst(breakers: readonly BreakerView[]): BreakerView {
  return BREAKERS.findLast((breaker) => breakers.includes(breaker)) ?? 'closed';
}
