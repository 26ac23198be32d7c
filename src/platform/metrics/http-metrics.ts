import { Injectable } from '@nestjs/common';
import type { Server } from 'node:http';
import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Histogram } from 'prom-client';
import { Metrics } from './metrics.js';

type Child = Histogram.Internal<'method' | 'route' | 'status'>;

@Injectable()
export class HttpMetrics {
  private readonly durations;
  /** prom-client hashes the labels of every observation; a stored child avoids that. */
  private readonly children = new Map<string, Child>();

  constructor(private readonly metrics: Metrics) {
    this.durations = metrics.histogram(
      'http_request_duration_seconds',
      'From the first byte read to the last written',
      ['method', 'route', 'status'],
    );
  }

  watchConnections(server: Server): void {
    const refused = this.metrics.counter('http_connections_refused_total', 'Connections beyond MAX_CONNECTIONS');
    server.on('drop', () => refused.inc());
    const count = promisify(server.getConnections.bind(server));
    this.metrics.gauge('http_connections', 'Open connections', [], async (gauge) => gauge.set(await count()));
  }

  /** Labels are bounded: the pattern of the route, never the path, and the class of the status. */
  observe(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions.url ?? 'unmatched';
    const status = `${Math.trunc(reply.statusCode / 100)}xx`;
    const { method } = request;
    const name = `${method} ${route} ${status}`;
    let child = this.children.get(name);
    if (!child) {
      child = this.durations.labels({ method, route, status });
      this.children.set(name, child);
    }
    child.observe(reply.elapsedTime / 1_000);
  }
}
