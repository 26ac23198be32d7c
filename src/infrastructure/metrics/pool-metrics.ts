import type { Pool } from 'pg';
import type { Metrics } from './metrics.js';

export function watchPool(metrics: Metrics, pool: Pool): void {
  const connections = metrics.gauge('pg_pool_connections', 'Connections of the pool', ['state']);
  const waiting = metrics.gauge('pg_pool_waiting', 'Requests that wait for a connection');
  const limit = metrics.gauge('pg_pool_limit', 'The most connections that the pool may open');
  metrics.onScrape(() => {
    connections.set({ state: 'idle' }, pool.idleCount);
    connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    waiting.set(pool.waitingCount);
    limit.set(pool.options.max);
  });
}
