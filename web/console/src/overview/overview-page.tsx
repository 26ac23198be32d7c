import type { Schemas } from '@checkout-saga/client';
import { Loading } from '../components/loading.js';
import { PageHead } from '../components/page-head.js';
import { Tile } from '../components/tile.js';
import { formatCount, formatDuration, formatRate, words } from '../data/format.js';
import { useLive } from '../session/live.js';
import { HotSkuBoard } from '../stock/hot-skus.js';
import { Chart, type Series } from './chart.js';
import { InstanceTable } from './instance-table.js';
import { LockTable } from './lock-table.js';
import './overview.css';

type Overview = Schemas['Overview'];

/** The service as it is now. */
export function OverviewPage() {
  const { overview } = useLive();
  return (
    <>
      <PageHead title="Overview" about="All instances together, every five seconds. Rates are of the last minute." />
      <Loading of={overview}>
        {(value) => (
          <div className="stack">
            <Tiles overview={value} />
            <Charts overview={value} />
            <HotSkuBoard />
            <InstanceTable instances={value.instances} />
            <LockTable />
          </div>
        )}
      </Loading>
    </>
  );
}

function Tiles({ overview }: { overview: Overview }) {
  const { rates, latency, sagas, inDoubt, stock, locks, queues, instances } = overview;
  const silent = instances.filter(({ isSilent }) => isSilent).length;
  const waiting = queues.callbacks.waiting + queues.events.waiting + queues.deliveries.waiting;
  return (
    <ul className="tiles">
      <Tile name="Checkouts a second" value={formatRate(rates.total)}>
        {outcomesOf(rates.perSecond) || 'none in the last minute'}
      </Tile>
      <Tile name="Latency, median" value={msOf(latency.p50Ms)}>
        p95 {msOf(latency.p95Ms)}, p99 {msOf(latency.p99Ms)}
      </Tile>
      <Tile name="In doubt" value={formatCount(inDoubt.count)} warning={doubtOf(inDoubt.oldestAt)}>
        payments whose outcome is unknown
      </Tile>
      <Tile
        name="Stuck sagas"
        value={formatCount(sagas.STUCK)}
        warning={sagas.overdue > 0 ? `${formatCount(sagas.overdue)} overdue` : stuckOf(sagas.STUCK)}
      >
        {formatCount(sagas.RUNNING)} running, {formatCount(sagas.WAITING)} waiting, {formatCount(sagas.COMPENSATING)}{' '}
        compensating
      </Tile>
      <Tile name="Held stock" value={formatCount(stock.heldUnits)}>
        units of {formatCount(stock.heldSkus)} SKUs; {formatCount(stock.soldOutSkus)} SKUs sold out
      </Tile>
      <Tile
        name="Locks held"
        value={formatCount(locks.held)}
        warning={locks.breaker === 'closed' ? undefined : `breaker ${locks.breaker}: the postgres locks stand in`}
      >
        {locks.driver}, {formatCount(locks.waiters)} wait; wait p99 {msOf(locks.waitP99Ms)}, {locks.timeouts} timeouts
      </Tile>
      <Tile
        name="Instances"
        value={formatCount(instances.length - silent)}
        warning={silent === 0 ? undefined : `${silent} silent: what it leased is taken over`}
      >
        {silent === 0 ? 'all of them seen just now' : 'seen just now'}
      </Tile>
      <Tile
        name="Waiting messages"
        value={formatCount(waiting)}
        warning={queues.deliveries.dead > 0 ? `${formatCount(queues.deliveries.dead)} deliveries are dead` : undefined}
      >
        lag: callbacks {lagOf(queues.callbacks)}, events {lagOf(queues.events)}, deliveries {lagOf(queues.deliveries)}
      </Tile>
    </ul>
  );
}

/** What went well first. */
const OUTCOMES = ['confirmed', 'declined', 'out_of_stock'];

function byOutcome([a]: readonly [string, number], [b]: readonly [string, number]): number {
  const rank = (outcome: string) => (OUTCOMES.indexOf(outcome) + OUTCOMES.length + 1) % (OUTCOMES.length + 1);
  return rank(a) - rank(b);
}

function outcomesOf(perSecond: Readonly<Record<string, number>>): string {
  return Object.entries(perSecond)
    .sort(byOutcome)
    .map(([outcome, rate]) => `${formatRate(rate)} ${words(outcome)}`)
    .join(', ');
}

function stuckOf(count: number): string | undefined {
  return count === 0 ? undefined : 'they wait for a person';
}

/** The provider is asked again by itself, and nearly always answers within a minute. */
const LONG_MS = 60_000;

function doubtOf(oldestAt: string | null): string | undefined {
  const ms = oldestAt === null ? 0 : Date.now() - Date.parse(oldestAt);
  return ms < LONG_MS ? undefined : `the oldest for ${formatDuration(ms)}`;
}

const COLOURS: Readonly<Record<string, string>> = {
  confirmed: '--good',
  declined: '--warn',
  out_of_stock: '--bad',
};

function Charts({ overview: { series } }: { overview: Overview }) {
  const times = series.map(({ at }) => Date.parse(at) / 1_000);
  const outcomes = [
    ...new Set([...OUTCOMES.slice(0, 2), ...series.flatMap(({ perSecond }) => Object.keys(perSecond))]),
  ];
  const rates = outcomes.map((outcome): Series => ({
    label: words(outcome),
    colour: COLOURS[outcome] ?? '--quiet',
    values: series.map(({ perSecond }) => perSecond[outcome] ?? 0),
    isFilled: outcome === 'confirmed',
  }));
  const latencies: Series[] = [
    { label: 'p50', colour: '--good', values: series.map(({ p50Ms }) => p50Ms) },
    { label: 'p99', colour: '--accent', values: series.map(({ p99Ms }) => p99Ms) },
  ];
  return (
    <div className="charts">
      <Chart title="Checkouts a second, by outcome" times={times} series={rates} format={formatRate} />
      <Chart title="Latency of checkouts" times={times} series={latencies} format={formatDuration} />
    </div>
  );
}

function msOf(ms: number | null): string {
  return ms === null ? '–' : formatDuration(ms);
}

function lagOf({ waiting, oldestSeconds }: { waiting: number; oldestSeconds: number }): string {
  return waiting === 0 ? 'none' : formatDuration(oldestSeconds * 1_000);
}
