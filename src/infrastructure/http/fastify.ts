import { FastifyAdapter } from '@nestjs/platform-fastify';
import fastifyCors from '@fastify/cors';
import fastifyHelmet from '@fastify/helmet';
import { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { AppConfig } from '../config/app-config.js';
import { requestContext } from '../logging/request-context.js';

const REQUEST_ID = /^[\w.:-]{1,128}$/;
const REQUEST_TIMEOUT_MS = 30_000;

export function createAdapter(config: AppConfig, logger: Logger): FastifyAdapter {
  const options: FastifyServerOptions = {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.http.bodyLimitBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: config.http.isProxyTrusted,
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

/**
 * Browsers and HTTP clients connect ahead of need. Node does not count a connection on which nothing was ever sent as
 * idle, so that one of them would hold up the shutdown until the grace period is over.
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

export async function registerPlugins(fastify: FastifyInstance, config: AppConfig): Promise<void> {
  closeUnusedConnections(fastify);
  await fastify.register(fastifyHelmet, {
    // The API answers JSON; the one page we serve, /docs, needs its own scripts and styles.
    contentSecurityPolicy: {
      directives: { 'script-src': ["'self'", "'unsafe-inline'"], 'upgrade-insecure-requests': null },
    },
  });
  await fastify.register(fastifyCors, {
    origin: config.http.corsOrigins.length > 0 ? config.http.corsOrigins : false,
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
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    requestContext.run({ requestId: request.id }, done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
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

/** Fastify reads plain text and Nest reads forms unless told otherwise: both would reach the API as a strange body, not as 415. */
export function acceptOnlyJson(fastify: FastifyInstance): void {
  fastify.removeContentTypeParser(['text/plain', 'application/x-www-form-urlencoded']);
}
