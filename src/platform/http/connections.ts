import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { AppConfig } from '../config/app-config.js';
import type { HttpMetrics } from '../metrics/http-metrics.js';

/**
 * Bounds what clients can occupy without sending a request: the number of connections, beyond which new ones are
 * refused, and the time without traffic on a connection. Node itself closes a connection whose request does not arrive,
 * or not completely.
 */
export function boundConnections(server: Server, config: AppConfig['http'], metrics: HttpMetrics): void {
  server.maxConnections = config.maxConnections;
  metrics.watchConnections(server);
  const unanswered = countUnanswered(server);
  server.setTimeout(config.keepAliveMs, (socket: Socket) => {
    // An answer may still be in preparation; but one that was written and is not read must not keep the connection.
    if (!unanswered.has(socket) || socket.writableLength > 0) socket.destroy();
  });
}

/** The requests of each connection that have no complete answer yet. */
function countUnanswered(server: Server): WeakMap<Socket, number> {
  const unanswered = new WeakMap<Socket, number>();
  server.on('request', ({ socket }, response) => {
    unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (unanswered.get(socket) ?? 1) - 1;
      if (left === 0) unanswered.delete(socket);
      else unanswered.set(socket, left);
    });
  });
  return unanswered;
}
