import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { AppConfig } from '../config/app-config.js';
import type { HttpMetrics } from '../metrics/http-metrics.js';

/**
 * Bounds what clients can hold without asking for anything: the number of connections, beyond which they are refused when
 * they are accepted, and the time for which nothing moves on one. Node itself closes a connection whose request does not
 * come, or not to its end.
 */
export function boundConnections(server: Server, config: AppConfig['http'], metrics: HttpMetrics): void {
  server.maxConnections = config.maxConnections;
  metrics.watchConnections(server);
  const unanswered = countUnanswered(server);
  server.setTimeout(config.keepAliveMs, (socket: Socket) => {
    // Somebody may still be at work on an answer; but what is written and not read has no right to wait.
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
