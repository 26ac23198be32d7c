import type { Pool } from 'pg';
import { BoundedClient } from './bounded-client.js';

/** The open connections of a pool, which pg itself does not show. */
export class ConnectionTracker {
  private readonly connections = new Set<BoundedClient>();

  constructor(pool: Pool) {
    pool.on('connect', (client) => {
      if (client instanceof BoundedClient) this.connections.add(client);
    });
    pool.on('remove', (client) => {
      if (client instanceof BoundedClient) this.connections.delete(client);
    });
  }

  /** Destroys connections that owe no answer. */
  destroyIdle(reason: Error): void {
    for (const connection of this.connections) if (connection.owingMs === 0) connection.destroy(reason);
  }

  /** Destroys connections that have owed an answer for longer than this. */
  destroySilent(ms: number, reason: Error): void {
    for (const connection of this.connections) if (connection.owingMs > ms) connection.destroy(reason);
  }
}
