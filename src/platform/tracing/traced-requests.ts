import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseTraceparent, type SpanIdentity } from './trace-context.js';
import type { Tracing } from './tracing.js';

/** The span of a request, from its arrival on. */
export interface RequestTrace extends SpanIdentity {
  /** Milliseconds since 1970. */
  readonly from: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent while tracing is off, and for requests that nobody asks about. */
    trace?: RequestTrace;
  }
}

/** Probes and scrapes come every few seconds for ever, and say nothing about anybody's order. */
const UNTRACED = /^\/(?:health\/|metrics$)/;

/** A trace begins with the request's `traceparent`, or here. Without tracing there is no hook at all. */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  if (!tracing.isOn) return;
  fastify.addHook('onRequest', (request, _reply, done) => {
    const identity = UNTRACED.test(request.url)
      ? undefined
      : tracing.begin(parseTraceparent(request.headers.traceparent));
    if (identity) request.trace = { ...identity, from: tracing.clock.now() };
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    record(tracing, request, reply);
    done();
  });
}

/** Named by the pattern of the route, as metrics are; ids are in the attributes. */
function record(tracing: Tracing, request: FastifyRequest, reply: FastifyReply): void {
  const { trace, method, caller } = request;
  if (!trace) return;
  const route = request.routeOptions.url;
  const status = reply.statusCode;
  tracing.record(trace, {
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    from: trace.from,
    to: tracing.clock.now(),
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'url.path': request.url.split('?')[0],
      'http.response.status_code': status,
      'checkout.client': caller?.client,
      'checkout.request_id': request.id,
    },
    ...(status >= 500 && { error: String(status) }),
  });
}

/** The member of a log line, or of a problem, that leads to the trace. */
export function traceIdOf(trace: { readonly traceId: string } | undefined): { traceId?: string } {
  return trace ? { traceId: trace.traceId } : {};
}
