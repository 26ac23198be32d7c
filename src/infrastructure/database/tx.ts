import type { PoolClient, QueryResultRow } from 'pg';
import type { Statement } from './statement.js';

/** Whatever can run a statement: a transaction, or the pool for a single autocommitted one. */
export interface Queryable {
  query<R extends QueryResultRow>(statement: Statement, params: readonly unknown[]): Promise<R[]>;
}

/**
 * An open transaction, the first parameter of every write. `send` pipelines a statement whose result nobody needs:
 * it costs no round trip, and if it fails Postgres turns the COMMIT behind it into a ROLLBACK and the runner throws.
 */
export class Tx implements Queryable {
  private readonly sent: Promise<unknown>[] = [];

  constructor(private readonly client: PoolClient) {}

  async query<R extends QueryResultRow>(statement: Statement, params: readonly unknown[]): Promise<R[]> {
    const result = await this.client.query<R>({ name: statement.name, text: statement.text, values: [...params] });
    return result.rows;
  }

  send(statement: Statement, params: readonly unknown[]): void {
    const sent = this.client.query({ name: statement.name, text: statement.text, values: [...params] });
    sent.catch(() => undefined); // settled() reports it
    this.sent.push(sent);
  }

  /** Rejects with the first failure among what was sent. */
  async settled(): Promise<void> {
    await Promise.all(this.sent);
  }
}
