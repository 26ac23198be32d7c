import pg, { type ClientConfig, type Connection, type PoolConfig } from 'pg';
import { PrimaryFinder } from './primary-finder.js';
import type { ConnectionTarget, ServerAddress } from './servers.js';

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

/**
 * The server has committed, and somebody ended its wait for the synchronous standby: a failover may lose what it has done. So
 * the outcome is not known, although the server calls it a success.
 */
export class UnreplicatedCommitError extends Error {
  readonly code = '08007';

  constructor() {
    super('the commit is not known to be replicated');
    this.name = 'UnreplicatedCommitError';
  }
}

/** Names the warning in every language of the server's messages. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN';

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** The members of pg's Connection that we use and that its types leave out. */
interface Wire extends Connection {
  on(event: 'parameterStatus', listener: (message: ParameterStatus) => void): this;
  on(event: 'readyForQuery', listener: () => void): this;
  emit(event: 'errorMessage', error: Error): boolean;
}

export interface BoundedClientConfig extends ClientConfig, Partial<Pick<ConnectionTarget, 'servers'>> {
  readonly deadlineMs?: number;
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

  private readonly finder: PrimaryFinder | undefined;
  private server: ServerAddress | undefined;

  constructor(config: BoundedClientConfig = {}) {
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
    this.on('notice', ({ routine }) => {
      if (routine === WAIT_FOR_STANDBY) this.failUnreplicated();
    });
    // The pool listens for errors only on idle connections: one that breaks between two statements would end the process.
    // Nothing is hidden, because the next statement fails with the reason.
    this.on('error', () => undefined);
    this.query = this.watched(this.query.bind(this));
    const { connectionString = '', servers = [] } = config;
    if (servers.length === 0) return;
    this.finder = PrimaryFinder.of({ connectionString, servers });
    this.connect = this.connectToPrimary(this.connect.bind(this));
    this.on('error', () => this.forgetServer());
    this.connection.stream.on('error', () => undefined); // pg listens only from the time when a server was found
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

  /** Before the answer that follows the warning, perhaps in the same packet, can pass for a success. */
  private failUnreplicated(): void {
    const error = new UnreplicatedCommitError();
    this.connection.emit('errorMessage', error);
    this.destroy(error);
  }

  /** With several servers: to the one that takes writes. */
  private connectToPrimary(connect: pg.Client['connect']): pg.Client['connect'] {
    const connecting = async (): Promise<void> => {
      this.server = await this.finder?.find();
      Object.assign(this, this.server);
      try {
        await connect();
      } catch (error) {
        this.forgetServer();
        throw error;
      }
      if (this.isReadOnly) this.forgetServer();
    };
    return ((callback?: (error?: Error) => void) => {
      if (!callback) return connecting();
      connecting().then(() => callback(), callback);
      return undefined;
    }) as pg.Client['connect'];
  }

  private forgetServer(): void {
    if (this.server) this.finder?.forget(this.server);
  }

  private watched(query: (...args: unknown[]) => unknown): pg.Client['query'] {
    const watching = (...args: unknown[]): unknown => {
      this.owingSince ??= performance.now();
      if (!this.timer) this.watch();
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
  return { ...writablePool(), deadlineMs: statementTimeoutMs + DEADLINE_MARGIN_MS };
}

/** The same without a deadline: for pools whose statements are bounded by those who use them. */
export function writablePool(): PoolConfig {
  return {
    Client: BoundedClient,
    verify: (client, done) => {
      const isReadOnly = client instanceof BoundedClient && client.isReadOnly;
      done(isReadOnly ? new ReadOnlyServerError() : undefined);
    },
  };
}
