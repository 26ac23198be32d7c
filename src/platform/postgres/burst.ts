import pg, { type Connection, type PoolClient, type QueryResultRow, type Submittable } from 'pg';
import { deferred } from '../../common/deferred.js';
import type { Statement } from './statement.js';
import { toWire } from './rows.js';

export interface Call {
  readonly statement: Statement;
  readonly params: readonly unknown[];
}

/** Which call failed. The calls before it had no effect either, and those behind it were not run. */
export class BurstError extends Error {
  constructor(
    readonly failedAt: number,
    override readonly cause: Error,
  ) {
    super(cause.message, { cause });
    this.name = 'BurstError';
  }
}

/**
 * Calls in one round trip, which returns the rows of each. They share one Sync, so the server skips everything behind a
 * failure, and without a BEGIN all of them commit together or not at all. pg's own pipeline mode sends a Sync behind
 * every statement, which costs a write here and a flush there for each of them: most of their cost.
 */
export interface OpenBurst {
  /** The server may begin with these calls; their results come at the end. */
  add(calls: readonly Call[]): void;
  /** The last calls, followed by the Sync. */
  end(calls?: readonly Call[]): Promise<QueryResultRow[][]>;
}

export function openBurst(client: PoolClient): OpenBurst {
  const burst = new Burst();
  client.query(burst);
  return burst;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/**
 * The prepared statements of a connection. They outlive a rollback, so a statement counts as prepared once the server
 * has parsed it.
 */
class Session {
  private readonly columns = new Map<Statement, readonly Column[]>();
  private parsing: Statement[] = [];
  private described: Statement | undefined;

  constructor(connection: Connection) {
    connection.on('parseComplete', () => {
      this.described = this.parsing.shift();
      if (this.described) this.columns.set(this.described, []);
    });
  }

  columnsOf(statement: Statement): readonly Column[] {
    return this.columns.get(statement) ?? [];
  }

  /** Whether the text has to be sent first. */
  mustParse(statement: Statement): boolean {
    if (this.columns.has(statement) || this.parsing.includes(statement)) return false;
    this.parsing.push(statement);
    return true;
  }

  describe({ fields }: RowDescription): void {
    if (!this.described) return;
    this.columns.set(
      this.described,
      fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) })),
    );
  }

  /** The server skips everything after a failure, so the remaining statements were not parsed. */
  giveUpParsing(): void {
    this.parsing = [];
  }
}

function parserOf(typeId: number): Column['parse'] {
  const getTypeParser = pg.types.getTypeParser as (id: number, format: 'text') => Column['parse'];
  return getTypeParser(typeId, 'text');
}

const sessions = new WeakMap<Connection, Session>();

function sessionOf(connection: Connection): Session {
  let session = sessions.get(connection);
  if (!session) {
    session = new Session(connection);
    sessions.set(connection, session);
  }
  return session;
}

/**
 * The members of pg's Connection that its types leave out or describe too narrowly. This is the only file that uses
 * them, and package.json pins pg exactly because of it.
 */
interface Wire {
  readonly stream: { readonly writable: boolean; cork(): void; uncork(): void };
  parse(query: { name: string; text: string }): void;
  describe(message: { type: 'S'; name: string }): void;
  bind(config: { statement: string; values: readonly unknown[]; valueMapper: (value: unknown) => unknown }): void;
  execute(config: { portal?: string }): void;
  sync(): void;
}

/** The boundary to pg's internals. */
function wireOf(connection: Connection): Wire {
  return connection as unknown as Wire;
}

/** A query in pg's sense: the client calls `submit` and then passes on the server's messages. */
class Burst implements Submittable, OpenBurst {
  private readonly calls: Call[] = [];
  private readonly results: QueryResultRow[][] = [];
  private readonly answer = deferred<QueryResultRow[][]>();
  private connection: Connection | undefined;
  private session: Session | undefined;
  private written = 0;
  private isEnded = false;
  private at = 0;
  private failure: Error | undefined;

  constructor() {
    this.answer.promise.catch(() => undefined); // the caller of end() gets it
  }

  add(calls: readonly Call[]): void {
    this.calls.push(...calls);
    this.write();
  }

  end(calls: readonly Call[] = []): Promise<QueryResultRow[][]> {
    this.calls.push(...calls);
    this.isEnded = true;
    this.write();
    return this.answer.promise;
  }

  /** pg calls this when the connection is free for this burst. */
  submit(connection: Connection): Error | undefined {
    this.connection = connection;
    this.session = sessionOf(connection);
    this.write();
    return undefined;
  }

  private write(): void {
    const { connection, session } = this;
    if (!connection || !session || (this.written === this.calls.length && !this.isEnded)) return;
    const wire = wireOf(connection);
    if (!wire.stream.writable) return; // the connection is lost, and handleError has reported it
    wire.stream.cork();
    try {
      for (; this.written < this.calls.length && !this.failure; this.written += 1) {
        const { statement, params } = this.calls[this.written] as Call;
        const { name, text } = statement;
        if (session.mustParse(statement)) {
          wire.parse({ name, text });
          wire.describe({ type: 'S', name });
        }
        wire.bind({ statement: name, values: params, valueMapper: toWire });
        wire.execute({});
      }
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error)); // rejected at the end
    } finally {
      if (this.isEnded) wire.sync();
      wire.stream.uncork();
    }
  }

  handleRowDescription(message: RowDescription): void {
    this.session?.describe(message);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const call = this.calls[this.at];
    if (!call || this.failure) return;
    const row: QueryResultRow = {};
    try {
      this.session?.columnsOf(call.statement).forEach(({ name, parse }, index) => {
        const text = fields[index];
        row[name] = text == null ? null : parse(text);
      });
      (this.results[this.at] ??= []).push(row);
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  handleCommandComplete(): void {
    this.at += 1;
  }

  handleEmptyQuery(): void {
    this.at += 1;
  }

  handlePortalSuspended(): void {
    this.failure = new Error('a portal was suspended although no limit was asked for');
  }

  handleError(error: Error): void {
    this.failure = error; // later calls would only be skipped
    this.session?.giveUpParsing();
    this.answer.reject(new BurstError(this.at, error));
  }

  handleReadyForQuery(): void {
    if (this.failure) this.answer.reject(this.failure);
    else this.answer.resolve(this.results);
  }
}
