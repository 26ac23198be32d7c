import pg, { type ClientConfig, type Connection, type PoolConfig } from 'pg';

/**
 * A working server ends every statement by its own timeout. A server that is silent for this much longer is considered
 * gone.
 */
export const DEADLINE_MARGIN_MS = 2_000;
const KEEP_ALIVE_MS = 10_000;
const READ_ONLY_PARAMETERS: ReadonlySet<string> = new Set(['in_hot_standby', 'default_transaction_read_only']);

/** The server did not answer in time, and the connection was destroyed. The request may or may not take effect. */
export class ConnectionDeadlineError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(ms: number) {
    super(`the database did not answer within ${ms} ms`);
    this.name = 'ConnectionDeadlineError';
  }
}

/** The connection leads to a standby, or to a primary that has become one. */
export class ReadOnlyServerError extends Error {
  readonly code = '25006';

  constructor() {
    super('the database server takes no writes');
    this.name = 'ReadOnlyServerError';
  }
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** The members of pg's Connection that we use and that its types leave out. */
interface Wire extends Connection {
  on(event: 'parameterStatus', listener: (message: ParameterStatus) => void): this;
  on(event: 'readyForQuery', listener: () => void): this;
}

/**
 * A connection that ends the wait for a silent server itself: a host that is lost, frozen or cut off by the network
 * closes no socket, and `statement_timeout` runs on the server and does not bound a COMMIT. Every path to the database
 * (TypeORM, bursts, locks) uses this class, so that none can hang.
 */
export class BoundedClient extends pg.Client {
  private readonly defaultPatienceMs: number;
  private patience: number;
  /** Since when the server owes an answer; undefined while it owes none. */
  private owingSince: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly readOnly = new Map<string, boolean>();

  constructor(config: ClientConfig & { deadlineMs?: number } = {}) {
    super({ keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS, ...config });
    this.defaultPatienceMs = config.deadlineMs ?? Number.POSITIVE_INFINITY;
    this.patience = this.defaultPatienceMs;
    const wire: Wire = this.connection;
    wire.on('readyForQuery', () => {
      if (this.owingSince !== undefined) this.owingSince = performance.now();
    });
    // Reported by PostgreSQL 14 and newer, at the start of a connection and whenever they change.
    wire.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (READ_ONLY_PARAMETERS.has(parameterName)) this.readOnly.set(parameterName, parameterValue === 'on');
    });
    this.on('drain', () => {
      this.owingSince = undefined;
    });
    this.on('end', () => clearTimeout(this.timer));
    this.query = this.watched(this.query.bind(this));
  }

  /** How long the server may take for requests from now on; without a value, the default. */
  setPatience(ms = this.defaultPatienceMs): void {
    this.patience = ms;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.owingSince !== undefined) this.watch();
  }

  /** How long the server has owed an answer; 0 if it owes none. */
  get owingMs(): number {
    return this.owingSince === undefined ? 0 : performance.now() - this.owingSince;
  }

  /** Whether the server has said that it takes no writes. */
  get isReadOnly(): boolean {
    return [...this.readOnly.values()].includes(true);
  }

  /** Ends the connection at once; pending requests get the error. */
  destroy(error: Error): void {
    this.connection.stream.destroy(error);
  }

  private watched(query: (...args: unknown[]) => unknown): pg.Client['query'] {
    const watching = (...args: unknown[]): unknown => {
      this.owingSince ??= performance.now();
      this.watch();
      return query(...args);
    };
    return watching as pg.Client['query'];
  }

  /**
   * One timer per connection checks whether an answer is overdue. A timer per statement would be expensive on a busy
   * connection.
   */
  private watch(): void {
    if (this.timer || this.patience === Number.POSITIVE_INFINITY) return;
    const elapsed = performance.now() - (this.owingSince ?? performance.now());
    this.timer = setTimeout(() => this.look(), Math.max(1, this.patience - elapsed));
    this.timer.unref();
  }

  private look(): void {
    this.timer = undefined;
    if (this.owingSince === undefined) return;
    if (performance.now() - this.owingSince < this.patience) return this.watch();
    // After a pause of the process, timers fire before sockets are read: the answer may already be there.
    const { owingSince, patience } = this;
    setImmediate(() => {
      if (this.owingSince === owingSince) this.destroy(new ConnectionDeadlineError(patience));
      else if (this.owingSince !== undefined) this.watch();
    });
  }
}

/** For pools: bounded connections to a server that takes writes. */
export function boundedPool(statementTimeoutMs: number): PoolConfig & { deadlineMs: number } {
  return {
    Client: BoundedClient,
    deadlineMs: statementTimeoutMs + DEADLINE_MARGIN_MS,
    verify: (client, done) => {
      const isReadOnly = client instanceof BoundedClient && client.isReadOnly;
      done(isReadOnly ? new ReadOnlyServerError() : undefined);
    },
  };
}
