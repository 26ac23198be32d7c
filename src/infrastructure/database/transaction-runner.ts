import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { backoffMs, sleep } from '../../common/backoff.js';
import { isAborted, isRetryable } from './sqlstate.js';
import type { Statement } from './statement.js';
import { Queryable, Tx } from './tx.js';

const RETRY = { attempts: 5, baseMs: 10, capMs: 250 };

/** Runs closures in transactions; retries the whole closure, in a fresh transaction, by the SQLSTATE table. */
@Injectable()
export class TransactionRunner implements Queryable {
  private readonly guarded = new WeakSet<PoolClient>();

  constructor(readonly pool: Pool) {
    pool.on('acquire', (client) => this.guard(client));
  }

  async query<R extends QueryResultRow>(statement: Statement, params: readonly unknown[]): Promise<R[]> {
    const result = await this.pool.query<R>({ name: statement.name, text: statement.text, values: [...params] });
    return result.rows;
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
    let broken: Error | undefined;
    try {
      return await commit(client, work);
    } catch (error) {
      broken = await rollback(client);
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

async function commit<T>(client: PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = new Tx(client);
  const begun = client.query('BEGIN');
  begun.catch(() => undefined);
  const result = await finish(tx, work).catch((error: unknown) => rethrowCause(tx, error));
  const committed = client.query('COMMIT');
  committed.catch(() => undefined);
  await begun;
  await tx.settled();
  const { command } = await committed;
  // Postgres answers COMMIT of an aborted transaction with ROLLBACK and no error.
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back by the server');
  return result;
}

async function finish<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await work(tx);
  await tx.close();
  return result;
}

/** After a pipelined statement failed, every later one only says so: what counts, and decides on a retry, is the first. */
async function rethrowCause(tx: Tx, error: unknown): Promise<never> {
  throw (isAborted(error) ? await tx.cause() : undefined) ?? error;
}

async function rollback(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
