import { Cluster } from 'ioredis';
import { messageOf } from '../../common/error-message.js';
import type { RedisClient } from './redis-client.js';

/** ioredis' messages for a command that it did not send, because there is no connection. */
const UNSENT = /isn't writeable|Cluster isn't ready/;
/** ioredis' message for commands that were queued or under way when the connection broke. */
const BROKEN = /^Connection is closed|^Command aborted due to connection close|^None of startup nodes is available/;

/** The ACL forbids our user a command, a key or a channel. The second form comes from scripts. */
const FORBIDDEN = /^NOPERM|^ERR The user executing the script can't/;

/** A command failed for lack of a connection. The message says what is wrong with the connection. */
export class RedisUnavailableError extends Error {
  constructor(
    reason: string,
    /** Whether it is certain that the server has not seen the command. */
    readonly isUnsent: boolean,
    cause: unknown,
  ) {
    super(`Redis is not available: ${reason}`, { cause });
    this.name = 'RedisUnavailableError';
  }
}

/**
 * Why each client cannot connect (WRONGPASS, ECONNREFUSED, …), until it is ready again. Text only: the error of a refused
 * AUTH carries the password in `command.args`.
 */
const lastErrors = new WeakMap<RedisClient, string>();

export function keepLastError(redis: RedisClient): void {
  const keep = (error: unknown) => lastErrors.set(redis, withoutPassword(redis, reasonOf(error)));
  redis.on('error', keep);
  // A Cluster emits the errors of its nodes separately, and only those if a node refuses the password.
  if (redis instanceof Cluster) redis.on('node error', keep);
  redis.on('ready', () => lastErrors.delete(redis));
}

export function lastErrorOf(redis: RedisClient): string | undefined {
  return lastErrors.get(redis);
}

export function isNotPermitted(error: unknown): boolean {
  return FORBIDDEN.test(messageOf(error));
}

/**
 * The same error, or one that explains more: why there is no connection, or where the required permissions are
 * documented.
 */
export function explain(redis: RedisClient, error: unknown): unknown {
  const message = messageOf(error);
  if (isNotPermitted(error)) return new Error(`${message} (docs/redis.md lists what it needs)`, { cause: error });
  const isUnsent = UNSENT.test(message);
  if (!isUnsent && !BROKEN.test(message)) return error;
  const reason = lastErrorOf(redis) ?? (isUnsent ? 'there is no connection yet' : 'the connection was lost');
  return new RedisUnavailableError(reason, isUnsent, error);
}

export function explained<T>(redis: RedisClient, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw explain(redis, error);
  });
}

/** `localhost` is tried as IPv6 and as IPv4, and such a failure has no message of its own; a Cluster wraps that of a node. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  const { lastNodeError } = error as { lastNodeError?: unknown };
  return lastNodeError instanceof Error ? `${messageOf(error)} ${reasonOf(lastNodeError)}` : messageOf(error);
}

/** A server that does not know AUTH quotes its arguments. */
function withoutPassword(redis: RedisClient, text: string): string {
  const { password } = redis instanceof Cluster ? (redis.options.redisOptions ?? {}) : redis.options;
  return password ? text.replaceAll(password, '***') : text;
}
