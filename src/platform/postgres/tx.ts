import type { PoolClient, QueryResultRow } from 'pg';
import { BurstError, Call, openBurst, OpenBurst } from './burst.js';
import { isUnexpectedCount } from './sqlstate.js';
import type { RowsStatement } from './rows.js';
import { Statement, statement } from './statement.js';

/** Anything that can run a statement: a transaction, or the pool for a single autocommitted one. */
export interface Queryable {
  query<R extends QueryResultRow>(statement: Statement, params: readonly unknown[]): Promise<R[]>;
}

/** A guarded statement did not touch all of its rows: they have changed since they were read. */
export class GuardFailedError extends Error {
  constructor(statement: string) {
    super(`${statement} did not land on all its rows`);
    this.name = 'GuardFailedError';
  }
}

type Gathered = Map<RowsStatement<unknown>, unknown[]>;

interface Waiting extends Call {
  readonly resolve?: (rows: QueryResultRow[]) => void;
  readonly reject?: (error: unknown) => void;
  readonly refusal?: () => Error;
}

/** A connection on which queries of the same tick share a round trip. */
export class Pipe implements Queryable {
  protected waiting: Waiting[] = [];
  private burst: OpenBurst | undefined;
  /** The calls that were sent early in the open burst. */
  private sentEarly: Waiting[] = [];
  private isScheduled = false;
  private isClosed = false;
  private isOpen = false;

  constructor(
    private readonly client: PoolClient,
    private readonly onRoundTrip: () => void,
  ) {}

  /** Whether the server has received anything. */
  protected get hasBegun(): boolean {
    return this.isOpen;
  }

  /** Waits for a round trip, which it shares with statements sent before and with other queries of the same tick. */
  query<R extends QueryResultRow>(statement: Statement, params: readonly unknown[]): Promise<R[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ statement, params, resolve: resolve as (rows: QueryResultRow[]) => void, reject });
      if (this.isScheduled) return;
      this.isScheduled = true;
      queueMicrotask(() => void this.flush().catch(() => undefined)); // every caller gets its rejection
    });
  }

  /** The connection goes back to the pool: pending and later calls must not reach its next user. */
  close(): void {
    this.isClosed = true;
    void this.burst?.end().catch(() => undefined);
    this.burst = undefined;
  }

  /** Sends the pending calls now, so that the server works on them while more are prepared. */
  protected sendEarly(): void {
    if (this.isClosed) return; // the flush reports it
    this.isOpen = true;
    this.burst ??= openBurst(this.client);
    this.burst.add(this.waiting);
    this.sentEarly.push(...this.waiting);
    this.waiting = [];
  }

  protected async flush(): Promise<void> {
    const { waiting, burst } = this;
    const calls = [...this.sentEarly, ...waiting];
    this.sentEarly = [];
    this.waiting = [];
    this.burst = undefined;
    this.isScheduled = false;
    this.isOpen = true;
    if (calls.length === 0) return;
    try {
      if (this.isClosed) throw new Error('the transaction is over');
      this.onRoundTrip();
      const results = await (burst ?? openBurst(this.client)).end(waiting);
      calls.forEach(({ resolve }, index) => resolve?.(results[index] ?? []));
    } catch (error) {
      const reason = reasonOf(error, calls);
      for (const { reject } of calls) reject?.(reason);
      throw reason;
    }
  }
}

/** Pending statements are sent early from this size on. Smaller ones are not worth a write of their own. */
const EARLY_FROM_CHARS = 16_384;

const BEGIN = { statement: statement('begin', 'BEGIN'), params: [] };
/**
 * Between two statements of a burst no other server timeout runs: if this process is paused there, this one ends the
 * transaction, so that others can continue with its rows.
 */
const BOUND = statement('bound', `SELECT set_config('transaction_timeout', $1, true)`);
const COMMIT = { statement: statement('commit', 'COMMIT'), params: [] };

/**
 * An open transaction, the first parameter of every write. Round trips are what a transaction costs, so statements wait
 * until an answer is needed (`query`) or the transaction ends, and are then sent together. Only large batches are sent
 * early, still in the same round trip, so that the server works while we prepare the rest. A failure on the server
 * fails everything behind it, including the COMMIT.
 */
export class Tx extends Pipe {
  protected override waiting: Waiting[] = [BEGIN];
  private isEnding = false;
  /** Everything is sent at once: the server takes it for one transaction, without a BEGIN. */
  private isOneBurst = false;
  private hasSent = false;
  private isBound = false;
  private chars = 0;
  private readonly gathered: Gathered = new Map();
  private readonly gatheredLast: Gathered = new Map();
  private readonly last: Waiting[] = [];
  private readonly afterCommit = new Set<() => void>();
  private traces: ReadonlyMap<string, string> | undefined;

  /**
   * With `sendEarlyMs`, large batches are sent early, and the transaction may take no longer than this (PostgreSQL 17
   * and newer).
   */
  constructor(
    client: PoolClient,
    onRoundTrip: () => void,
    private readonly sendEarlyMs: number | undefined,
  ) {
    super(client, onRoundTrip);
  }

  /** Whether a failure leaves the server in a transaction. */
  get mustRollBack(): boolean {
    return this.hasBegun && !this.isOneBurst;
  }

  /** Whether the server was asked to commit: from then on it may have. */
  get isCommitting(): boolean {
    return this.isEnding;
  }

  /** Whether something was sent that only writes use. */
  get hasWritten(): boolean {
    return this.hasSent || this.gathered.size > 0 || this.gatheredLast.size > 0 || this.last.length > 0;
  }

  /** A statement whose result is not needed. */
  send(statement: Statement, params: readonly unknown[]): void {
    this.push({ statement, params });
  }

  /**
   * A statement made by `expectingRows`: the transaction fails with `refusal` unless it touches as many rows as it
   * names.
   */
  expect(statement: Statement, params: readonly unknown[], refusal: () => Error = () => guardFailed(statement)): void {
    this.push({ statement, params, refusal });
  }

  /** The same, after everything else: see `gatherLast`. */
  expectLast(statement: Statement, params: readonly unknown[]): void {
    this.last.push({ statement, params, refusal: () => guardFailed(statement) });
  }

  /** Rows that are collected over the whole transaction, and sent once, before the commit. */
  gather<R>(statement: RowsStatement<R>, rows: readonly R[]): void {
    collect(this.gathered, statement, rows);
  }

  /**
   * The same, after everything else and in the statements' lock order: for contended rows, which are then locked for the
   * shortest time and never in a circle.
   */
  gatherLast<R>(statement: RowsStatement<R>, rows: readonly R[]): void {
    collect(this.gatheredLast, statement, rows);
  }

  /** Called once after the commit, however often it was registered. Not called if the outcome is unknown. */
  onCommit(listener: () => void): void {
    this.afterCommit.add(listener);
  }

  /** Says which traces its writes belong to: a `traceparent` by subject. */
  setTraces(traces: ReadonlyMap<string, string>): void {
    this.traces = traces;
  }

  get isTraced(): boolean {
    return this.traces !== undefined;
  }

  traceOf(subject: string): string | undefined {
    return this.traces?.get(subject);
  }

  async commit(): Promise<void> {
    for (const [statement, rows] of this.gathered) this.send(...statement.over(rows));
    const contended = [...this.gatheredLast].sort(([a], [b]) => (a.lockOrder ?? 0) - (b.lockOrder ?? 0));
    for (const [many, rows] of contended) {
      const [statement, params] = many.over(rows);
      this.waiting.push({ statement, params });
    }
    this.waiting.push(...this.last);
    this.isOneBurst = !this.hasBegun;
    if (this.isOneBurst) this.waiting.shift();
    else this.waiting.push(COMMIT);
    if (this.waiting.length === 0) return;
    this.isEnding = true;
    await this.flush();
    for (const listener of this.afterCommit) listener();
  }

  private push(call: Waiting): void {
    this.hasSent = true;
    this.waiting.push(call);
    if (this.sendEarlyMs === undefined) return;
    for (const param of call.params) if (typeof param === 'string') this.chars += param.length;
    if (this.chars < EARLY_FROM_CHARS) return;
    this.chars = 0;
    if (!this.isBound) {
      this.waiting.splice(this.hasBegun ? 0 : 1, 0, { statement: BOUND, params: [String(this.sendEarlyMs)] });
      this.isBound = true;
    }
    this.sendEarly();
  }
}

function guardFailed({ name }: Statement): GuardFailedError {
  return new GuardFailedError(name);
}

function reasonOf(error: unknown, calls: readonly Waiting[]): unknown {
  if (!(error instanceof BurstError)) return error;
  const refusal = isUnexpectedCount(error.cause) ? calls[error.failedAt]?.refusal : undefined;
  return refusal?.() ?? error.cause;
}

function collect<R>(gathered: Gathered, statement: RowsStatement<R>, rows: readonly R[]): void {
  if (rows.length === 0) return;
  const key = statement as RowsStatement<unknown>;
  const known = gathered.get(key);
  if (known) known.push(...rows);
  else gathered.set(key, [...rows]);
}
