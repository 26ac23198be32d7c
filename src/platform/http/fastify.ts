import { FastifyAdapter } from '@nestjs/platform-fastify';
import fastifyCors from '@fastify/cors';
import {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { AppConfig } from '../config/app-config.js';
import type { TrustedProxies } from '../config/trusted-proxies.js';
import { tellAllowedMethods } from './allowed-methods.js';
import { refuseClient } from './client-error.js';
import { boundConnections } from './connections.js';
import { toProblem } from './problem.js';
import { SECURITY_HEADERS } from './security-headers.js';
import type { HttpMetrics } from '../metrics/http-metrics.js';
import { traceIdOf, traceRequests } from '../tracing/traced-requests.js';
import type { Tracing } from '../tracing/tracing.js';

const REQUEST_ID = /^[\w.:-]{1,128}$/;
const MAX_HEADER_BYTES = 16_384;
const HEADERS_TIMEOUT_MS = 10_000;

export function createAdapter(config: AppConfig, logger: Logger): FastifyAdapter {
  const { requestTimeoutMs, keepAliveMs, trustedProxies } = config.http;
  const options: FastifyHttpOptions<Server> = {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.http.bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      // How often Node looks for overdue requests. Its default of 30 s would double the timeouts.
      connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
    },
    clientErrorHandler: refuseClient,
    frameworkErrors: refuseUrl,
    trustProxy: trustOf(trustedProxies),
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 512 },
  };
  return new FastifyAdapter(options as never);
}

/** Never `true`, which would accept any address that a client writes into X-Forwarded-For. */
function trustOf(proxies: TrustedProxies): NonNullable<FastifyHttpOptions<Server>['trustProxy']> {
  if (typeof proxies !== 'number') return [...proxies];
  return proxies === 0 ? false : (_address: string, hop: number) => hop < proxies;
}

/**
 * Browsers and HTTP clients open connections before they need them. Node does not count a connection without any
 * traffic as idle, so each of them would delay the shutdown until the grace period ends.
 */
function closeUnusedConnections(fastify: FastifyInstance): void {
  const open = new Set<Socket>();
  fastify.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  fastify.addHook('preClose', (done) => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
}

export async function registerPlugins(
  fastify: FastifyInstance,
  config: AppConfig,
  metrics: HttpMetrics,
  tracing: Tracing,
): Promise<void> {
  boundConnections(fastify.server, config.http, metrics);
  closeUnusedConnections(fastify);
  traceRequests(fastify, tracing);
  if (config.http.corsOrigins.length > 0) await allowOrigins(fastify, config.http.corsOrigins);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    done();
  });
  tellAllowedMethods(fastify);
  fastify.addHook('onResponse', (request, reply, done) => {
    metrics.observe(request, reply);
    request.log.info(
      {
        requestId: request.id,
        ...traceIdOf(request.trace),
        ...(request.caller && { client: request.caller.client }),
        method: request.method,
        path: request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request completed',
    );
    done();
  });
}

async function allowOrigins(fastify: FastifyInstance, origins: readonly string[]): Promise<void> {
  await fastify.register(fastifyCors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'baggage',
      'content-type',
      'idempotency-key',
      'if-match',
      'if-none-match',
      'last-event-id',
      'prefer',
      'traceparent',
      'tracestate',
      'x-access-token',
      'x-api-key',
      'x-request-id',
      'x-sale-ticket',
    ],
    strictPreflight: false,
    exposedHeaders: [
      'etag',
      'idempotent-replayed',
      'location',
      'retry-after',
      'x-request-id',
      'ratelimit',
      'ratelimit-policy',
    ],
    maxAge: 600,
  });
}

/** Paths that the router cannot read, or that exceed its limits: Fastify calls this before any hook or handler. */
function refuseUrl(error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply): void {
  const isTooLong = error.statusCode === 414;
  const detail = isTooLong ? 'A part of the path is too long' : 'The path is not a valid URL';
  const problem = toProblem('VALIDATION_FAILED', detail, { errors: [], requestId: request.id });
  void reply.code(problem.status).type('application/problem+json').send(problem);
}
