import type { TransactionRunner } from '../postgres/transaction-runner.js';
import type { Metrics } from './metrics.js';

export function watchDatabase(metrics: Metrics, transactions: TransactionRunner): void {
  const { pool } = transactions;
  const roundTrips = metrics.counter(
    'pg_round_trips_total',
    'Times that the database was asked, whatever was asked at once',
  );
  const connections = metrics.gauge('pg_pool_connections', 'Connections of the pool', ['state']);
  const waiting = metrics.gauge('pg_pool_waiting', 'Requests that wait for a connection');
  const limit = metrics.gauge('pg_pool_limit', 'The most connections that the pool may open');
  let counted = 0;
  metrics.onScrape(() => {
    roundTrips.inc(transactions.roundTrips - counted);
    counted = transactions.roundTrips;
    connections.set({ state: 'idle' }, pool.idleCount);
    connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    waiting.set(pool.waitingCount);
    limit.set(pool.options.max);
  });
}
