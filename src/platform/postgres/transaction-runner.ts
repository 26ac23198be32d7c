import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { backoffMs, sleep } from '../../common/backoff.js';
import { BoundedClient, DEADLINE_MARGIN_MS } from './bounded-client.js';
import type { DatabaseAvailability } from './database-availability.js';
import { endsSession, isReadOnlyServer, isRetryable, isUnavailable } from './sqlstate.js';
import { Statement, statement } from './statement.js';
import { Pipe, Queryable, Tx } from './tx.js';

const RETRY = { attempts: 5, baseMs: 10, capMs: 250 };

const SNAPSHOT = statement('survey.snapshot', `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
const SURVEY_TIMEOUT_MS = 60_000;
/** The opposite of POINT_LOOKUPS. */
const PLANNED = statement(
  'survey.planned',
  `SELECT set_config(name, value, true) FROM (VALUES ('plan_cache_mode', 'force_custom_plan'), ('enable_seqscan', 'on'),
     ('enable_hashjoin', 'on'), ('enable_mergejoin', 'on'), ('statement_timeout', '${SURVEY_TIMEOUT_MS}')) AS setting (name, value)`,
);

export interface RunnerOptions {
  /** Large batches are sent early: see Tx. */
  readonly sendEarlyMs?: number | undefined;
  /** Refuses work while the database is known to be away. */
  readonly availability?: DatabaseAvailability;
}

/** Runs closures in transactions; retries the whole closure, in a fresh transaction, by the SQLSTATE table. */
@Injectable()
export class TransactionRunner implements Queryable {
  /** The number of round trips, each with one or more statements. */
  roundTrips = 0;
  private readonly count = (): void => {
    this.roundTrips += 1;
  };

  constructor(
    readonly pool: Pool,
    private readonly options: RunnerOptions = {},
  ) {}

  query<R extends QueryResultRow>(statement: Statement, params: readonly unknown[]): Promise<R[]> {
    return this.read((db) => db.query<R>(statement, params));
  }

  /** Related reads on one connection; those that are asked for in the same tick share a round trip. */
  async read<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
    const client = await this.connect();
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

  /** With `patienceMs`, the server may take so long instead of the time that is usual. */
  async run<T>(work: (tx: Tx) => Promise<T>, patienceMs?: number): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.runOnce(work, patienceMs);
      } catch (error) {
        if (attempt >= RETRY.attempts || !isRetryable(error)) throw error;
        await sleep(backoffMs(RETRY, attempt));
      }
    }
  }

  /** A transaction that reads whole tables from one snapshot, with plans for its values and a longer timeout. */
  survey<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const survey = (tx: Tx): Promise<T> => {
      tx.send(SNAPSHOT, []);
      tx.send(PLANNED, []);
      return work(tx);
    };
    return this.run(survey, SURVEY_TIMEOUT_MS + DEADLINE_MARGIN_MS);
  }

  private async runOnce<T>(work: (tx: Tx) => Promise<T>, patienceMs: number | undefined): Promise<T> {
    const client = await this.connect();
    if (patienceMs !== undefined) setPatience(client, patienceMs);
    const tx = new Tx(client, this.count, this.options.sendEarlyMs);
    let broken: Error | undefined;
    try {
      const result = await work(tx);
      await tx.commit();
      if (tx.hasWritten && patienceMs === undefined) this.options.availability?.noteWrite();
      return result;
    } catch (error) {
      tx.close();
      if (tx.isCommitting && isUnavailable(error)) this.options.availability?.noteDoubt();
      broken = (tx.mustRollBack ? await rollback(client) : undefined) ?? brokenBy(error);
      throw error;
    } finally {
      tx.close();
      if (patienceMs !== undefined) setPatience(client);
      client.release(broken);
    }
  }

  private async connect(): Promise<PoolClient> {
    const { availability } = this.options;
    if (availability && !availability.isTrusted) await availability.whenAvailable();
    return this.pool.connect();
  }
}

function setPatience(client: PoolClient, ms?: number): void {
  if (client instanceof BoundedClient) client.setPatience(ms);
}

async function rollback(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The pool notices a closed connection, but neither one that the server is about to close nor one to a standby. */
function brokenBy(error: unknown): Error | undefined {
  return error instanceof Error && (endsSession(error) || isReadOnlyServer(error)) ? error : undefined;
}
