import { Cluster, Redis, RedisOptions } from 'ioredis';
import { backoffMs } from '../../common/backoff.js';
import { keepLastError } from './redis-errors.js';

export type RedisClient = Redis | Cluster;

const RECONNECT = { baseMs: 50, capMs: 2_000 };

const CONNECTION = {
  lazyConnect: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 2_000,
  retryStrategy: (attempt: number) => backoffMs(RECONNECT, attempt),
} as const satisfies RedisOptions;

/**
 * Options every Redis connection of ours shares. The offline queue is off: a command issued while the server is away
 * fails at once rather than running later, when nobody waits for it any more (ioredis #2130).
 */
export function redisOptions(commandTimeoutMs: number): RedisOptions {
  return { ...CONNECTION, commandTimeout: commandTimeoutMs, enableAutoPipelining: true };
}

/** Connects in the background; the start never waits for Redis, which has a fallback. */
export function connectRedis(url: string, commandTimeoutMs: number): RedisClient {
  return connect(createRedis(url, redisOptions(commandTimeoutMs)));
}

/** For callers that batch their own commands: auto-pipelining would only delay them by a tick. */
export function connectUnbuffered(url: string, commandTimeoutMs: number): RedisClient {
  return connect(createRedis(url, { ...CONNECTION, commandTimeout: commandTimeoutMs }));
}

/**
 * For SUBSCRIBE only: such a connection takes no other commands. Its user subscribes at every 'ready': the client's own
 * resubscription is off, because it leaves an unhandled rejection when the connection breaks again meanwhile.
 */
export function connectSubscriber(url: string): RedisClient {
  return connect(createRedis(url, { ...CONNECTION, autoResubscribe: false }));
}

/**
 * `redis://` and `rediss://` are one server, `redis+sentinel://host:port,host:port/master` asks Sentinels for the master,
 * `redis+cluster://host:port,host:port` is a Cluster. User, password and (not for a Cluster) `?db=` apply to the data nodes.
 */
export function createRedis(url: string, options: RedisOptions): RedisClient {
  const redis = clientFor(url, options);
  keepLastError(redis); // the users of the client report it: a line per attempt to connect would be noise
  return redis;
}

function clientFor(url: string, options: RedisOptions): RedisClient {
  const match = /^redis\+(sentinel|cluster):\/\/(?:([^@/]*)@)?([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url);
  if (!match) return new Redis(url, options);
  const [, kind, login, hosts = '', path = '', query = ''] = match;
  const nodes = hosts.split(',').map((host) => nodeOf(host, kind === 'sentinel' ? 26_379 : 6_379));
  const data: RedisOptions = { ...options, ...credentials(login) };
  if (kind === 'cluster') return createCluster(nodes, data);
  const db = Number(new URLSearchParams(query).get('db') ?? 0);
  return new Redis({ ...data, db, sentinels: nodes, name: decodeURIComponent(path) || 'mymaster' });
}

function createCluster(nodes: { host: string; port: number }[], options: RedisOptions): Cluster {
  return new Cluster(nodes, {
    lazyConnect: true,
    enableOfflineQueue: options.enableOfflineQueue ?? false,
    enableAutoPipelining: options.enableAutoPipelining ?? false,
    clusterRetryStrategy: (attempt) => backoffMs(RECONNECT, attempt),
    retryDelayOnFailover: 50,
    redisOptions: options,
  });
}

function nodeOf(host: string, defaultPort: number): { host: string; port: number } {
  const match = /^(.*?)(?::(\d+))?$/.exec(host);
  return { host: match?.[1] ?? host, port: Number(match?.[2] ?? defaultPort) };
}

function credentials(login: string | undefined): Pick<RedisOptions, 'username' | 'password'> {
  if (!login) return {};
  const [user = '', password] = login.split(':').map(decodeURIComponent);
  if (password === undefined) return { password: user };
  return user === '' ? { password } : { username: user, password };
}

function connect(redis: RedisClient): RedisClient {
  redis.connect().catch(() => undefined);
  return redis;
}

export function whenReady(redis: RedisClient): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve) => redis.once('ready', () => resolve()));
}
