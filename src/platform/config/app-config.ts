import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { TracingSettings } from '../tracing/tracing-settings.js';
import type { ClientKey } from './client-key.js';
import { Environment, environmentSchema, PAGES } from './environment.js';

export const APP_CONFIG = Symbol('APP_CONFIG');

/** A user's mistake in the environment: shown as one line, without a stack trace. */
export class ConfigurationError extends Error {}

export type AppConfig = ReturnType<typeof toConfig>;
export type PageName = (typeof PAGES)[number];
export type LockDriverName = 'redis' | 'redlock' | 'postgres' | 'etcd' | 'zookeeper';

const MANDATORY_IN_PRODUCTION = [
  'DATABASE_URL',
  'ADMIN_API_KEY',
  'STOREFRONT_API_KEY',
  'ACCESS_TOKEN_SECRET',
  'PAYMENT_GATEWAY',
] as const;
const MIN_KEY_LENGTH = 16;

export function loadConfig(source: NodeJS.ProcessEnv): AppConfig {
  // An empty variable means "not set": docker-compose and CI systems pass unset ones that way.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) throw new ConfigurationError(describe(parsed.error, given));
  refuseContradictions(parsed.data);
  return toConfig(parsed.data);
}

function describe(error: z.ZodError, given: Record<string, string | undefined>): string {
  const problems = error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const isSecret = /KEY|SECRET|URL|HEADERS/.test(name);
    return `${name}${isSecret ? '' : `=${given[name] ?? ''}`}: ${issue.message}`;
  });
  return `Invalid configuration: ${problems.join('; ')}`;
}

function refuseContradictions(env: Environment): void {
  const missing: string[] =
    env.NODE_ENV === 'production' ? MANDATORY_IN_PRODUCTION.filter((name) => !env[name]?.length) : [];
  if (env.PAYMENT_GATEWAY === 'stripe') {
    if (!env.STRIPE_SECRET_KEY) missing.push('STRIPE_SECRET_KEY');
    if (!env.STRIPE_WEBHOOK_SECRET) missing.push('STRIPE_WEBHOOK_SECRET');
  }
  if (env.LOCK_DRIVER === 'redis' && !env.REDIS_URL) missing.push('REDIS_URL');
  if (env.LOCK_DRIVER === 'redlock' && env.REDLOCK_URLS.length === 0) missing.push('REDLOCK_URLS');
  if (env.LOCK_DRIVER === 'etcd' && env.ETCD_URLS.length === 0) missing.push('ETCD_URLS');
  if (env.LOCK_DRIVER === 'zookeeper' && env.ZOOKEEPER_URLS.length === 0) missing.push('ZOOKEEPER_URLS');
  refuseSharedKeys(env);
  if (missing.length > 0) throw new ConfigurationError(`Missing configuration: ${missing.join(', ')} must be set`);
  if (env.NODE_ENV === 'production') refuseInProduction(env);
  if (env.PAGES?.includes('shop') && env.PAYMENT_GATEWAY === 'stripe') {
    throw new ConfigurationError(
      'Invalid configuration: PAGES=shop pays with the test cards of the sandbox, and PAYMENT_GATEWAY is stripe',
    );
  }
  if (env.REDLOCK_URLS.length > 0 && (env.REDLOCK_URLS.length < 3 || env.REDLOCK_URLS.length % 2 === 0)) {
    throw new ConfigurationError(
      `Invalid configuration: REDLOCK_URLS needs an odd number of nodes, at least 3, got ${env.REDLOCK_URLS.length}`,
    );
  }
}

/** Settings that are convenient in development and dangerous in a shop. */
function refuseInProduction(env: Environment): void {
  const refuse = (reason: string) => new ConfigurationError(`Invalid configuration: ${reason}`);
  if (env.FAULT_POINT) throw refuse('FAULT_POINT is refused in production');
  if (env.PAYMENT_GATEWAY === 'sandbox' && !env.SANDBOX_IN_PRODUCTION)
    throw refuse('PAYMENT_GATEWAY=sandbox moves no money: in production it also needs SANDBOX_IN_PRODUCTION=true');
  for (const name of ['ADMIN_API_KEY', 'STOREFRONT_API_KEY'] as const)
    if (env[name].some(({ secret }) => secret.length < MIN_KEY_LENGTH))
      throw refuse(`${name}: in production every key must have at least ${MIN_KEY_LENGTH} characters`);
}

/** A key must identify one client in one scope. */
function refuseSharedKeys({ ADMIN_API_KEY: admin, STOREFRONT_API_KEY: storefront }: Environment): void {
  const isShared = (a: ClientKey, b: ClientKey) => a.accepted.some((text) => b.accepted.includes(text));
  if (admin.some((key) => storefront.some((other) => isShared(key, other))))
    throw new ConfigurationError('Invalid configuration: ADMIN_API_KEY and STOREFRONT_API_KEY share a key');
  for (const [variable, keys] of Object.entries({ ADMIN_API_KEY: admin, STOREFRONT_API_KEY: storefront }))
    if (keys.some((key) => keys.some((other) => key.name !== other.name && isShared(key, other))))
      throw new ConfigurationError(`Invalid configuration: ${variable} gives one key to two clients`);
}

function lockDriver(env: Environment): LockDriverName {
  if (env.LOCK_DRIVER) return env.LOCK_DRIVER;
  if (env.ETCD_URLS.length > 0) return 'etcd';
  if (env.ZOOKEEPER_URLS.length > 0) return 'zookeeper';
  if (env.REDLOCK_URLS.length > 0) return 'redlock';
  return env.REDIS_URL ? 'redis' : 'postgres';
}

/** A page that nobody asked for is not served in production, and a shop of play money only beside the sandbox. */
function pagesOf(env: Environment): readonly PageName[] {
  if (env.PAGES) return env.PAGES;
  if (env.NODE_ENV === 'production') return [];
  return env.PAYMENT_GATEWAY === 'stripe' ? ['console'] : PAGES;
}

function toConfig(env: Environment) {
  return {
    /**
     * New for every process, and the name under which it owns sagas and locks: the process that takes over a saga finds
     * the locks of the previous owner by it. It also names channels, so it has only letters and digits. It cannot be
     * configured, because two processes could then have the same id.
     */
    instanceId: randomBytes(6).toString('hex'),
    isProduction: env.NODE_ENV === 'production',
    isStartedByNpm: env.npm_lifecycle_event === 'start',
    dataDir: env.DATA_DIR,
    faultPoint: env.FAULT_POINT,
    log: { level: env.LOG_LEVEL },
    /** Undefined while tracing is off. */
    tracing: tracingOf(env),
    traceUrl: env.TRACE_URL,
    pages: pagesOf(env),
    http: {
      host: env.HOST,
      port: env.PORT,
      corsOrigins: env.CORS_ORIGINS,
      publicUrl: env.PUBLIC_URL,
      returnOrigins: env.RETURN_URL_ORIGINS.length > 0 ? env.RETURN_URL_ORIGINS : env.CORS_ORIGINS,
      bodyLimitBytes: env.BODY_LIMIT_BYTES,
      shutdownGraceMs: env.SHUTDOWN_GRACE_MS,
      shutdownDelayMs: env.SHUTDOWN_DELAY_MS ?? (env.NODE_ENV === 'production' ? 5_000 : 0),
      requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
      keepAliveMs: env.KEEP_ALIVE_MS,
      maxConnections: env.MAX_CONNECTIONS,
      maxRequestsInFlight: env.MAX_REQUESTS_IN_FLIGHT,
      trustedProxies: env.TRUST_PROXY,
      rateLimit: env.RATE_LIMIT === 'off' ? undefined : env.RATE_LIMIT,
      declineLimits: {
        address: env.DECLINE_LIMIT,
        card: env.DECLINE_LIMIT_PER_CARD,
        customer: env.DECLINE_LIMIT_PER_CUSTOMER,
        all: env.DECLINE_LIMIT_TOTAL,
      },
      isMetricsPublic: env.METRICS_PUBLIC,
    },
    database: {
      url: env.DATABASE_URL,
      poolSize: env.DATABASE_POOL_SIZE,
      statementTimeoutMs: env.DATABASE_STATEMENT_TIMEOUT_MS,
    },
    redis: { url: env.REDIS_URL, commandTimeoutMs: env.REDIS_COMMAND_TIMEOUT_MS },
    lock: {
      driver: lockDriver(env),
      redlockUrls: env.REDLOCK_URLS,
      etcdUrls: env.ETCD_URLS,
      zookeeperUrls: env.ZOOKEEPER_URLS,
      heldWarningMs: env.LOCK_HELD_WARNING_MS,
    },
    payment: {
      gateway: env.PAYMENT_GATEWAY ?? 'sandbox',
      timeoutMs: env.GATEWAY_TIMEOUT_MS,
      actionTimeoutSeconds: env.PAYMENT_ACTION_TIMEOUT_SECONDS,
      authorizationDays: env.AUTHORIZATION_DAYS,
      reconcileSeconds: env.RECONCILE_SECONDS,
      stripe: {
        secretKey: env.STRIPE_SECRET_KEY,
        webhookSecret: env.STRIPE_WEBHOOK_SECRET,
        apiBase: env.STRIPE_API_BASE,
        returnUrl: env.STRIPE_RETURN_URL,
      },
      sandbox: { webhookSecret: env.SANDBOX_WEBHOOK_SECRET, authenticationMs: env.SANDBOX_AUTHENTICATION_MS },
    },
    auth: {
      adminKeys: env.ADMIN_API_KEY,
      storefrontKeys: env.STOREFRONT_API_KEY,
      accessTokenSecret: env.ACCESS_TOKEN_SECRET,
      giftCardSecrets: env.GIFT_CARD_SECRET,
      jwtSecret: env.JWT_SECRET,
      jwksUrl: env.JWKS_URL,
      jwtIssuer: env.JWT_ISSUER,
      jwtAudience: env.JWT_AUDIENCE,
      /** Keys that were generated for this machine, and may therefore be shown on it. */
      generated: {} as { readonly adminKey?: string; readonly storefrontKey?: string },
    },
    orders: { customerCancelSeconds: env.CUSTOMER_CANCEL_SECONDS },
    reservation: {
      ttlSeconds: env.RESERVATION_TTL_SECONDS,
      maxExtensionSeconds: env.RESERVATION_MAX_EXTENSION_SECONDS,
      sweepSeconds: env.RESERVATION_SWEEP_SECONDS,
    },
    saga: {
      leaseMs: env.SAGA_LEASE_MS,
      maxInFlight: env.SAGA_MAX_IN_FLIGHT,
      backoffFactor: env.SAGA_BACKOFF_FACTOR,
    },
    eventStream: {
      limit: env.EVENT_STREAM_LIMIT,
      perOrder: env.EVENT_STREAMS_PER_ORDER,
      perCaller: env.EVENT_STREAMS_PER_CALLER,
      crowdLimit: env.CROWD_STREAM_LIMIT,
      heartbeatMs: env.EVENT_STREAM_HEARTBEAT_MS,
      idleMs: env.EVENT_STREAM_IDLE_MS,
    },
    /** In days; 0 keeps for ever. Samples in hours. */
    retention: {
      sagas: env.RETENTION_SAGA_DAYS,
      timeline: env.RETENTION_TIMELINE_DAYS,
      callbacks: env.RETENTION_CALLBACK_DAYS,
      deadLetters: env.RETENTION_CALLBACK_DAYS,
      reservations: env.RETENTION_RESERVATION_DAYS,
      tickets: env.RETENTION_TICKET_DAYS,
      actions: env.RETENTION_ACTION_DAYS,
      history: env.RETENTION_HISTORY_DAYS,
      sampleHours: env.RETENTION_SAMPLE_HOURS,
      events: env.RETENTION_EVENT_DAYS,
      deliveries: env.RETENTION_DELIVERY_DAYS,
    },
    stream: {
      urls: env.STREAM_URL,
      maxDeliveries: env.STREAM_MAX_DELIVERIES,
      maxInFlight: env.STREAM_MAX_IN_FLIGHT,
      ackWaitMs: env.STREAM_ACK_WAIT_MS,
    },
    webhooks: {
      allowedHosts: env.WEBHOOK_ALLOWED_HOSTS,
      timeoutMs: env.WEBHOOK_TIMEOUT_MS,
      retryBaseMs: env.WEBHOOK_RETRY_BASE_MS,
      maxAttempts: env.WEBHOOK_MAX_ATTEMPTS,
    },
  };
}

function tracingOf(env: Environment): TracingSettings | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  return {
    endpoint,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS,
    attributes: env.OTEL_RESOURCE_ATTRIBUTES,
    serviceName: env.OTEL_SERVICE_NAME,
    sampler: env.OTEL_TRACES_SAMPLER,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
    delayMs: env.OTEL_BSP_SCHEDULE_DELAY,
    queueSize: env.OTEL_BSP_MAX_QUEUE_SIZE,
  };
}

/** Why a service in production mode takes no money; undefined if it does, or outside production. */
export function playMoneyNotice({ isProduction, payment }: AppConfig): string | undefined {
  if (!isProduction) return undefined;
  if (payment.gateway === 'sandbox') return 'payments are made in the sandbox (SANDBOX_IN_PRODUCTION): no money moves';
  const isTestKey = /^[a-z]+_test_/.test(payment.stripe.secretKey ?? '');
  return isTestKey ? 'STRIPE_SECRET_KEY is a test key: no money moves' : undefined;
}
