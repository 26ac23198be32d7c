import type { PoolConfig } from 'pg';
import { ConfigurationError } from '../config/app-config.js';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** For whatever connects: pg knows one server per connection, and BoundedClient chooses it among these. */
export interface ConnectionTarget extends Pick<PoolConfig, 'connectionString'> {
  readonly connectionString: string;
  /** Empty where the URL names one server. */
  readonly servers: readonly ServerAddress[];
}

const DEFAULT_PORT = 5_432;
const ATTRIBUTE = 'target_session_attrs';
/** What libpq calls them. All we could want is a server that takes writes, so the others are refused. */
const WRITABLE: ReadonlySet<string> = new Set(['read-write', 'primary']);
const SHAPE = /^(?<login>postgres(?:ql)?:\/\/(?:[^@/?]*@)?)(?<hosts>[^/?]+)(?<rest>.*)$/;
const ADDRESS = /^(?<host>\[[^\]]+\]|[^:]+)(?::(?<port>\d+))?$/;

/** Reads `postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write`, as libpq does. */
export function connectionTarget(url: string): ConnectionTarget {
  const { login = '', hosts = '', rest = '' } = SHAPE.exec(url)?.groups ?? {};
  const names = hosts.split(',');
  if (names.length < 2) return { connectionString: url, servers: [] };
  const attribute = new URL(`postgres://host${rest}`).searchParams.get(ATTRIBUTE) ?? 'read-write';
  if (!WRITABLE.has(attribute))
    throw new ConfigurationError(
      `DATABASE_URL: ${ATTRIBUTE}=${attribute} may lead to a server that takes no writes; use read-write`,
    );
  return { connectionString: `${login}${names[0] ?? ''}${rest}`, servers: names.map(toAddress) };
}

/** Servers and database, without the login, for messages. */
export function describeTarget(url: string): string {
  const { hosts = '', rest = '' } = SHAPE.exec(url)?.groups ?? {};
  return `${hosts}${rest.split('?')[0] ?? ''}`;
}

function toAddress(text: string): ServerAddress {
  const { host, port } = ADDRESS.exec(text)?.groups ?? {};
  if (host === undefined) throw new ConfigurationError(`DATABASE_URL: ${text} is no host`);
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? DEFAULT_PORT : Number(port) };
}
