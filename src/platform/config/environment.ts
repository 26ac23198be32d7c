import { z } from 'zod';
import { SAMPLERS } from '../tracing/tracing-settings.js';
import { toClientKey } from './client-key.js';
import { toOrigin } from './origins.js';
import { toTrustedProxies } from './trusted-proxies.js';

const integer = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
const list = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .default([]);
/** `name=value,…` with percent-encoded values, as OpenTelemetry writes lists. */
const pairs = list
  .refine(
    (entries) => entries.every((entry) => /^[^=\s]+=(?:[^%]|%[\da-f]{2})*$/i.test(entry)),
    'must be a list such as name=value,name=value',
  )
  .transform((entries) =>
    Object.fromEntries(
      entries.map((entry) => {
        const [name = '', ...value] = entry.split('=');
        return [name, decodeURIComponent(value.join('='))];
      }),
    ),
  );
const origins = list.transform((entries, context) =>
  entries.map((entry) => {
    const origin = toOrigin(entry);
    if (origin === undefined)
      context.addIssue({ code: 'custom', message: `${entry} is not an origin such as https://shop.example` });
    return origin ?? entry;
  }),
);
const proxies = z
  .string()
  .default('false')
  .transform((text, context) => {
    const trusted = toTrustedProxies(text);
    if (trusted === undefined)
      context.addIssue({
        code: 'custom',
        message: 'must be true, false, a number of proxies up to 10, or a list of their addresses and networks',
      });
    return trusted ?? 0;
  });
/** The pages that the service can serve beside the API. */
export const PAGES = ['shop', 'console'] as const;
const pages = z.string().transform((text, context) => {
  const names = text === 'off' ? [] : text.split(',').map((name) => name.trim());
  const isPage = (name: string): name is (typeof PAGES)[number] => PAGES.some((page) => page === name);
  if (!names.every(isPage))
    context.addIssue({ code: 'custom', message: `must be off, or some of ${PAGES.join(', ')}` });
  return PAGES.filter((page) => names.includes(page));
});
const clientKeys = list.transform((entries) => entries.map(toClientKey));
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');
/** `redis+sentinel://a:1,b:2/main` and `postgres://a:1,b:2/name` name several hosts, which the URL standard does not know. */
const oneHost = (text: string) =>
  text.replace(/^((?:redis\+\w+|postgres(?:ql)?):\/\/(?:[^@/?]*@)?(?![^/?]*@)[^,/?]*),[^/?]*/, '$1');
const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(oneHost(text)) && protocols.includes(new URL(oneHost(text)).protocol),
      `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
const nodes = (form: RegExp, example: string) =>
  list.refine((entries) => entries.every((entry) => form.test(entry)), `must be a list such as ${example},${example}`);
/** Without the slash at its end: what is put behind it begins with one. */
const baseUrl = url('http:', 'https:')
  .refine((text) => !/[?#]/.test(text), 'must have no query and no fragment')
  .transform((text) => text.replace(/\/+$/, ''));
const secret = z.string().min(16, 'must have at least 16 characters');

/** Every variable that the service reads. Names and defaults are part of the public contract. */
export const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: integer(3000, 0, 65_535),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  CORS_ORIGINS: origins,
  /** Where browsers reach the service, if a proxy stands before it: links to it begin with this. */
  PUBLIC_URL: baseUrl.optional(),
  /** Whose pages a customer may be sent back to after an authentication; those of CORS_ORIGINS if empty. */
  RETURN_URL_ORIGINS: origins,
  /** Without a value: both outside production (the shop only with the sandbox), none in production. */
  PAGES: pages.optional(),
  BODY_LIMIT_BYTES: integer(262_144, 1_024, 10_485_760),
  SHUTDOWN_GRACE_MS: integer(10_000, 0, 300_000),
  /** Without a value: 0, and 5,000 in production. */
  SHUTDOWN_DELAY_MS: z.coerce.number().int().min(0).max(300_000).optional(),
  REQUEST_TIMEOUT_MS: integer(30_000, 500, 600_000),
  /** Longer than the idle timeout of common load balancers, so that none reuses a connection that we are closing. */
  KEEP_ALIVE_MS: integer(72_000, 500, 3_600_000),
  MAX_CONNECTIONS: integer(5_000, 1, 1_000_000),
  /** Requests of storefronts that are under way at once; further ones are refused with 503. */
  MAX_REQUESTS_IN_FLIGHT: integer(3_000, 1, 1_000_000),
  /**
   * The proxies in front of us, by number or by address. Only they may name the sender of a request in X-Forwarded-For.
   */
  TRUST_PROXY: proxies,

  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_POOL_SIZE: integer(16, 2, 500),
  DATABASE_STATEMENT_TIMEOUT_MS: integer(10_000, 100, 600_000),

  REDIS_URL: url('redis:', 'rediss:', 'redis+sentinel:', 'redis+cluster:').optional(),
  REDIS_COMMAND_TIMEOUT_MS: integer(1_000, 10, 60_000),
  LOCK_DRIVER: z.enum(['redis', 'redlock', 'postgres', 'etcd', 'zookeeper']).optional(),
  REDLOCK_URLS: list,
  ETCD_URLS: nodes(/^https?:\/\/[^/?#@]+\/?$/, 'http://host:port'),
  ZOOKEEPER_URLS: nodes(/^[^/?#@]+:\d+$/, 'host:port'),
  LOCK_HELD_WARNING_MS: integer(30_000, 100, 3_600_000),

  /**
   * The sandbox by default. In production it must be configured explicitly, because with the sandbox every order is
   * free.
   */
  PAYMENT_GATEWAY: z.enum(['sandbox', 'stripe']).optional(),
  SANDBOX_IN_PRODUCTION: flag,
  GATEWAY_TIMEOUT_MS: integer(5_000, 10, 60_000),
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  STRIPE_API_BASE: url('http:', 'https:').optional(),
  STRIPE_RETURN_URL: url('http:', 'https:').optional(),
  SANDBOX_WEBHOOK_SECRET: secret.optional(),
  SANDBOX_AUTHENTICATION_MS: integer(1_500, 0, 3_600_000),
  PAYMENT_ACTION_TIMEOUT_SECONDS: integer(3_600, 1, 604_800),
  /** How long an authorisation that is captured later may wait for that. Card networks end most of them after a week. */
  AUTHORIZATION_DAYS: integer(7, 1, 30),
  RECONCILE_SECONDS: integer(60, 1, 86_400),

  ADMIN_API_KEY: clientKeys,
  STOREFRONT_API_KEY: clientKeys,
  ACCESS_TOKEN_SECRET: secret.optional(),
  /** What the codes of gift cards are made and hashed with: the first is used, the others are still good. */
  GIFT_CARD_SECRET: list.refine(
    (secrets) => secrets.every((each) => each.length >= 16),
    'every secret must have at least 16 characters',
  ),
  JWT_SECRET: secret.optional(),
  JWKS_URL: url('http:', 'https:').optional(),
  JWT_ISSUER: z.string().min(1).optional(),
  JWT_AUDIENCE: z.string().min(1).optional(),
  RATE_LIMIT: z.union([z.literal('off'), z.coerce.number().int().min(1).max(1_000_000)]).default(12_000),
  /** Declined payments per minute: from one address, with one card, by one customer, and in total. */
  DECLINE_LIMIT: integer(30, 1, 100_000),
  DECLINE_LIMIT_PER_CARD: integer(20, 1, 100_000),
  DECLINE_LIMIT_PER_CUSTOMER: integer(20, 1, 100_000),
  DECLINE_LIMIT_TOTAL: integer(1_000, 1, 10_000_000),
  METRICS_PUBLIC: flag,

  /** How long after the confirmation a customer may cancel; 0 is never. */
  CUSTOMER_CANCEL_SECONDS: integer(0, 0, 31_536_000),
  RESERVATION_TTL_SECONDS: integer(900, 1, 86_400),
  RESERVATION_MAX_EXTENSION_SECONDS: integer(900, 0, 86_400),
  RESERVATION_SWEEP_SECONDS: integer(5, 1, 3_600),
  SAGA_LEASE_MS: integer(10_000, 200, 600_000),
  /** Scales every pause between attempts of a step. Below 1 for providers that recover quickly, and in tests. */
  SAGA_BACKOFF_FACTOR: z.coerce.number().min(0).max(100).default(1),
  SAGA_MAX_IN_FLIGHT: integer(2_000, 1, 100_000),

  EVENT_STREAM_LIMIT: integer(1_000, 1, 100_000),
  EVENT_STREAMS_PER_ORDER: integer(20, 1, 100_000),
  EVENT_STREAMS_PER_CALLER: integer(100, 1, 100_000),
  /** Of seat maps and tickets; below MAX_CONNECTIONS, so that requests still find a connection. */
  CROWD_STREAM_LIMIT: integer(4_000, 1, 1_000_000),
  EVENT_STREAM_HEARTBEAT_MS: integer(15_000, 100, 300_000),
  EVENT_STREAM_IDLE_MS: integer(300_000, 100, 86_400_000),

  /** Days; 0 keeps for ever. Orders, payments, refunds and stock movements are the books, and always kept. */
  RETENTION_SAGA_DAYS: integer(90, 0, 36_500),
  RETENTION_TIMELINE_DAYS: integer(365, 0, 36_500),
  RETENTION_CALLBACK_DAYS: integer(90, 0, 36_500),
  RETENTION_RESERVATION_DAYS: integer(30, 0, 36_500),
  RETENTION_TICKET_DAYS: integer(30, 0, 36_500),
  RETENTION_ACTION_DAYS: integer(1_095, 0, 36_500),
  RETENTION_HISTORY_DAYS: integer(90, 1, 36_500),
  RETENTION_SAMPLE_HOURS: integer(1, 1, 720),
  RETENTION_EVENT_DAYS: integer(7, 1, 36_500),
  RETENTION_DELIVERY_DAYS: integer(30, 1, 36_500),

  /** Servers of one NATS cluster; none turns streams off. */
  STREAM_URL: list.refine(
    (urls) => urls.every((text) => URL.canParse(text) && ['nats:', 'tls:'].includes(new URL(text).protocol)),
    'must be URLs that start with nats:// or tls://, separated by commas',
  ),
  STREAM_MAX_DELIVERIES: integer(10, 1, 1_000),
  STREAM_MAX_IN_FLIGHT: integer(64, 1, 10_000),
  STREAM_ACK_WAIT_MS: integer(30_000, 500, 3_600_000),

  WEBHOOK_ALLOWED_HOSTS: list,
  WEBHOOK_TIMEOUT_MS: integer(10_000, 100, 60_000),
  WEBHOOK_RETRY_BASE_MS: integer(5_000, 10, 3_600_000),
  WEBHOOK_MAX_ATTEMPTS: integer(15, 1, 100),

  /** The base URL of a collector (OTLP over HTTP); tracing is off without it. The names are OpenTelemetry's own. */
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  OTEL_SERVICE_NAME: z.string().default('checkout-saga'),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_BSP_SCHEDULE_DELAY: integer(1_000, 10, 60_000),
  OTEL_BSP_MAX_QUEUE_SIZE: integer(32_768, 512, 1_048_576),
  /** Where people look at a trace, with its id in place of `{traceId}`. */
  TRACE_URL: z
    .string()
    .refine(
      (text) => text.includes('{traceId}') && /^https?:\/\//.test(text) && URL.canParse(text),
      'must be a URL that starts with http:// or https:// and contains {traceId}',
    )
    .optional(),
  FAULT_POINT: z.string().optional(),
  /** Set by npm: the name of the script that runs. */
  npm_lifecycle_event: z.string().optional(),
});

export type Environment = z.infer<typeof environmentSchema>;
