import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { messageOf } from '../../common/error-message.js';
import type { ConnectionTarget, ServerAddress } from './servers.js';

/** Shorter than a connection may take to be made, of which this is the first part. */
const ANSWER_MS = 3_000;
/** After the first primary has answered, so long for another one that claims to be it. */
const SECOND_ANSWER_MS = 300;

/** The timeline of a server that takes writes, null of one that does not. Each promotion begins a new timeline. */
const TIMELINE = `
  SELECT CASE WHEN NOT pg_is_in_recovery() AND NOT current_setting('default_transaction_read_only')::bool
    THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`;

/** Nobody was asked to do anything: it is safe to try again. */
export class NoPrimaryError extends Error {
  readonly code = '08001';

  constructor(cause: unknown) {
    const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
    super(`no server of DATABASE_URL takes writes (${causes.map(messageOf).join('; ')})`, { cause });
    this.name = 'NoPrimaryError';
  }
}

interface Primary {
  readonly server: ServerAddress;
  readonly timeline: number;
}

const finders = new Map<string, PrimaryFinder>();

/**
 * Which of several servers takes writes. It is remembered until a connection to it fails, so that connecting usually costs
 * nothing more; then all are asked at once, because one that is lost does not answer at all. An old primary that was cut
 * off may still think that it is one: the higher timeline wins.
 */
export class PrimaryFinder {
  private known: ServerAddress | undefined;
  private search: Promise<ServerAddress> | undefined;

  private constructor(private readonly target: ConnectionTarget) {}

  /** What one connection of this process learns, all know. */
  static of(target: ConnectionTarget): PrimaryFinder {
    const finder = finders.get(target.connectionString) ?? new PrimaryFinder(target);
    finders.set(target.connectionString, finder);
    return finder;
  }

  find(): Promise<ServerAddress> {
    if (this.known) return Promise.resolve(this.known);
    this.search ??= this.askAll().finally(() => {
      this.search = undefined;
    });
    return this.search;
  }

  forget(server: ServerAddress): void {
    if (this.known === server) this.known = undefined;
  }

  private async askAll(): Promise<ServerAddress> {
    const answers = this.target.servers.map((server) => this.ask(server));
    const found: Primary[] = [];
    for (const answer of answers) answer.then((primary) => found.push(primary)).catch(() => undefined);
    try {
      await Promise.any(answers);
    } catch (error) {
      throw new NoPrimaryError(error);
    }
    await Promise.race([Promise.allSettled(answers), delay(SECOND_ANSWER_MS)]);
    const newest = found.reduce((a, b) => (b.timeline > a.timeline ? b : a));
    this.known = newest.server;
    return newest.server;
  }

  private async ask(server: ServerAddress): Promise<Primary> {
    const { connectionString } = this.target;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS });
    Object.assign(client, server);
    client.on('error', () => undefined); // the query fails and says why
    try {
      await client.connect();
      const { rows } = await client.query<{ timeline: number | null }>(TIMELINE);
      const timeline = rows[0]?.timeline;
      if (timeline == null) throw new Error('takes no writes');
      return { server, timeline };
    } catch (error) {
      throw new Error(`${server.host}:${server.port} ${messageOf(error)}`, { cause: error });
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}
