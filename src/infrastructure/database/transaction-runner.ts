import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { backoffMs, sleep } from '../../common/backoff.js';
import { endsSession, isRetryable } from './sqlstate.js';
import { Statement, statement } from './statement.js';
import { Pipe, Queryable, Tx } from './tx.js';

const RETRY = { attempts: 5, baseMs: 10, capMs: 250 };

const SNAPSHOT = statement('survey.snapshot', `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
/** The opposite of POINT_LOOKUPS. */
const PLANNED = statement(
  'survey.planned',
  `SELECT set_config(name, value, true) FROM (VALUES ('plan_cache_mode', 'force_custom_plan'), ('enable_seqscan', 'on'),
     ('enable_hashjoin', 'on'), ('enable_mergejoin', 'on'), ('statement_timeout', '60s')) AS setting (name, value)`,
);

/** Runs closures in transactions; retries the whole closure, in a fresh transaction, by the SQLSTATE table. */
@Injectable()
export class TransactionRunner implements Queryable {
  private readonly guarded = new WeakSet<PoolClient>();
  /** How often the database was asked, whatever was asked at once. */
  roundTrips = 0;
  private readonly count = (): void => {
    this.roundTrips += 1;
  };

  /** With `aheadMs`, the transactions of large batches send ahead: see Tx. */
  constructor(
    readonly pool: Pool,
    private readonly aheadMs?: number,
  ) {
    pool.on('acquire', (client) => this.guard(client));
  }

  query<R extends QueryResultRow>(statement: Statement, params: readonly unknown[]): Promise<R[]> {
    return this.read((db) => db.query<R>(statement, params));
  }

  /** Reads that belong together: on one connection, and in one round trip what is asked in one moment. */
  async read<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    const pipe = new Pipe(client, this.count);
    let broken: Error | undefined;
    try {
      return await work(pipe);
    } catch (error) {
      broken = brokenBy(error);
      throw error;
    } finally {
      pipe.close();
      client.release(broken);
    }
  }

  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.runOnce(work);
      } catch (error) {
        if (attempt >= RETRY.attempts || !isRetryable(error)) throw error;
        await sleep(backoffMs(RETRY, attempt));
      }
    }
  }

  /** A transaction that reads whole tables, from one snapshot: planned by its values and given more time. */
  survey<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.run((tx) => {
      tx.send(SNAPSHOT, []);
      tx.send(PLANNED, []);
      return work(tx);
    });
  }

  /**
   * The pool listens only to idle connections, and hands one over before its taker can listen: a connection that breaks
   * then, or between two statements, would end the process. Nothing is hidden: the next statement fails and says why.
   */
  private guard(client: PoolClient): void {
    if (this.guarded.has(client)) return;
    this.guarded.add(client);
    client.on('error', () => undefined);
  }

  private async runOnce<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    const tx = new Tx(client, this.count, this.aheadMs);
    let broken: Error | undefined;
    try {
      const result = await work(tx);
      await tx.commit();
      return result;
    } catch (error) {
      tx.close();
      if (tx.hasBegun) broken = await rollback(client);
      throw error;
    } finally {
      tx.close();
      client.release(broken);
    }
  }
}

async function rollback(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The pool finds out by itself that a connection has closed, but not that the server is about to close it. */
function brokenBy(error: unknown): Error | undefined {
  return error instanceof Error && endsSession(error) ? error : undefined;
}
