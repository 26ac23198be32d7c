import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.js';
import type { AppConfig } from './platform/config/app-config.js';
import { migrate } from './platform/postgres/schema/migrate.js';
import { createAdapter, registerPlugins } from './platform/http/fastify.js';
import { acceptBodies } from './platform/http/body-parsers.js';
import { PublicUrl } from './platform/http/public-url.js';
import { serveApiDescription } from './platform/http/openapi/document.js';
import { createLogger } from './platform/logging/logger.js';
import { NestLogger } from './platform/logging/nest-logger.js';
import { Draining } from './platform/shutdown/draining.js';
import { HttpMetrics } from './platform/metrics/http-metrics.js';
import { Tracing } from './platform/tracing/tracing.js';
import { servePages } from './pages/serve-pages.js';
import { PAYMENT_GATEWAY } from './payment/gateway/payment-gateway.js';
import { SandboxGateway } from './payment/gateway/sandbox/sandbox-gateway.js';

/** The whole service, migrated and wired but not listening yet. */
export async function createApp(
  config: AppConfig,
  databaseUrl: string,
  signal?: AbortSignal,
): Promise<NestFastifyApplication> {
  const logger = createLogger(config.log.level, config.instanceId);
  await migrate(databaseUrl, { signal, report: (level, line) => logger[level]({ context: 'Migration' }, line) });
  const adapter = createAdapter(config, logger);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(config, databaseUrl), adapter, {
    logger: new NestLogger(logger),
    rawBody: true,
    bodyParser: false,
    abortOnError: false,
  });
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  acceptBodies(app, fastify, config.http.bodyLimitBytes);
  await registerPlugins(fastify, config, app.get(HttpMetrics), app.get(Tracing));
  app.get(Draining).watch(fastify);
  serveApiDescription(app);
  if (config.pages.length > 0) await servePages(fastify, config.pages, app.get(PublicUrl));
  await app.init();
  return app;
}

/** The service without HTTP, for commands: errors go to stderr, stdout is the command's own. */
export async function createContext(config: AppConfig, databaseUrl: string): Promise<INestApplicationContext> {
  await migrate(databaseUrl, { report: (_, line) => process.stderr.write(`${line}\n`) });
  const module = AppModule.register(config, databaseUrl);
  return NestFactory.createApplicationContext(module, { logger: ['fatal', 'error'], abortOnError: false });
}

/** Listens. Only now the URL is known that callbacks go to and that links begin with. */
/**
 * How many connections may wait to be accepted (the system's own limit still holds). With Node's 511, a crowd that comes
 * at once while the process is busy gets resets.
 */
const BACKLOG = 4_096;

export async function listenOn(app: NestFastifyApplication, port: number, host: string): Promise<string> {
  await app.listen({ port, host, backlog: BACKLOG });
  const url = await app.getUrl();
  const gateway: unknown = app.get(PAYMENT_GATEWAY, { strict: false });
  const publicUrl = app.get(PublicUrl, { strict: false });
  publicUrl.listensAt(url);
  if (gateway instanceof SandboxGateway) gateway.setUrls({ callbacks: url, pages: publicUrl.of('') });
  return url;
}

/** Ends without failing anybody: see Draining. */
export async function closeApp(app: NestFastifyApplication, config: AppConfig): Promise<void> {
  const { shutdownDelayMs: delayMs, shutdownGraceMs: graceMs } = config.http;
  await app.get(Draining).drain(app.getHttpAdapter().getInstance(), { delayMs, graceMs });
  await app.close();
}
