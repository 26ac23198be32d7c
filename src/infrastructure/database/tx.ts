import type { PoolClient, QueryResultRow } from 'pg';
import { isAborted } from './sqlstate.js';
import type { Statement } from './statement.js';

/** Whatever can run a statement: a transaction, or the pool for a single autocommitted one. */
export interface Queryable {
  query<R extends QueryResultRow>(statement: Statement, params: readonly unknown[]): Promise<R[]>;
}

/**
 * An open transaction, the first parameter of every write. Round trips are what a transaction costs, so only `query`
 * waits for one; everything else is pipelined, and if any of it fails Postgres turns the COMMIT behind it into a
 * ROLLBACK and the runner throws.
 */
export class Tx implements Queryable {
  private readonly sent: Promise<unknown>[] = [];
  private readonly checks: Promise<unknown>[] = [];
  private readonly gathered = new Map<Statement, unknown[]>();
  private readonly gatheredLast = new Map<Statement, unknown[]>();

  constructor(private readonly client: PoolClient) {}

  async query<R extends QueryResultRow>(statement: Statement, params: readonly unknown[]): Promise<R[]> {
    return (await this.run<R>(statement, params)).rows;
  }

  /** A statement whose result nobody needs. */
  send(statement: Statement, params: readonly unknown[]): void {
    this.keep(this.sent, this.run(statement, params));
  }

  /** A statement whose rows are looked at before the commit; `verify` throws to refuse it. */
  check(statement: Statement, params: readonly unknown[], verify: (rows: Record<string, unknown>[]) => void): void {
    const rows = this.query(statement, params);
    this.keep(this.sent, rows);
    this.keep(this.checks, rows.then(verify));
  }

  /** Rows for a statement over a JSON list: collected over the whole transaction, sent once, before the commit. */
  gather(statement: Statement, rows: readonly unknown[]): void {
    collect(this.gathered, statement, rows);
  }

  /** The same, behind everything else: for rows that many want, so that they are locked for the shortest time. */
  gatherLast(statement: Statement, rows: readonly unknown[]): void {
    collect(this.gatheredLast, statement, rows);
  }

  /** Everything but the COMMIT is on its way, and nothing that was looked at was refused. */
  async close(): Promise<void> {
    this.flush(this.gathered);
    if (this.checks.length > 0) await Promise.all(this.checks);
    this.flush(this.gatheredLast);
  }

  /** Rejects with the first failure among what was pipelined: it is the cause of those behind it. */
  async settled(): Promise<void> {
    await Promise.all(this.sent);
  }

  /** Why the transaction failed: what came after the first failure only says that there was one. */
  async cause(): Promise<unknown> {
    const results = await Promise.allSettled([...this.sent, ...this.checks]);
    return results
      .map((result) => (result.status === 'rejected' ? (result.reason as unknown) : undefined))
      .find((reason) => reason !== undefined && !isAborted(reason));
  }

  private run<R extends QueryResultRow>(statement: Statement, params: readonly unknown[]) {
    return this.client.query<R>({ name: statement.name, text: statement.text, values: params as unknown[] });
  }

  private flush(gathered: ReadonlyMap<Statement, unknown[]>): void {
    for (const [statement, rows] of gathered) this.send(statement, [JSON.stringify(rows)]);
  }

  private keep(list: Promise<unknown>[], promise: Promise<unknown>): void {
    promise.catch(() => undefined); // close() or settled() reports it
    list.push(promise);
  }
}

function collect(gathered: Map<Statement, unknown[]>, statement: Statement, rows: readonly unknown[]): void {
  if (rows.length === 0) return;
  const known = gathered.get(statement);
  if (known) known.push(...rows);
  else gathered.set(statement, [...rows]);
}
