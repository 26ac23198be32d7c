import type { Pool } from 'pg';
import { isRetryable } from '../../../platform/postgres/sqlstate.js';
import type {
  AcquireRequest,
  Busy,
  Granted,
  Holding,
  LockDriver,
  LockSignals,
  Renewal,
  StoredLock,
} from '../../lock-driver.js';
import { bounded, compensate } from '../bounded.js';
import { PostgresListener } from './postgres-listener.js';

const GRACE_MS = 100;
/** Races of two first acquisitions of a new key; each round one of them gets through. */
const MAX_RACES = 5;

const ACQUIRE = 'SELECT * FROM lock_acquire($1, $2, $3, $4, $5, $6, $7, $8)';
const RENEW = 'SELECT lock_renew($1, $2, $3, $4) AS outcome';
const RELEASE = 'SELECT lock_release($1, $2, $3, $4, $5)';
const IS_HELD = `
  SELECT EXISTS (SELECT 1 FROM lock_leases
                  WHERE key = ANY ($1) AND expires_at > clock_timestamp() AND left(owner, 1) NOT IN ('-', '~')
                    AND split_part(owner, '.', 1) <> ALL (string_to_array($2, ' '))) AS held`;
const LIST = `
  SELECT key, owner, cardinality(waiting) AS waiters,
         (extract(epoch FROM clock_timestamp() - acquired_at) * 1000)::integer AS "ageMs",
         (extract(epoch FROM expires_at - clock_timestamp()) * 1000)::integer AS "ttlMs"
    FROM lock_leases WHERE expires_at > clock_timestamp() AND left(owner, 1) NOT IN ('-', '~')
   ORDER BY acquired_at LIMIT $1`;
const PURGE = `
  DELETE FROM lock_leases WHERE key IN (
    SELECT key FROM lock_leases WHERE expires_at < clock_timestamp() - $1 * interval '1 ms' LIMIT $2 FOR UPDATE SKIP LOCKED)`;

interface AcquireRow {
  readonly granted: number | string | null;
  readonly since: number | string;
  readonly retry_ms: number;
  readonly blocked: string[] | null;
  readonly contended: boolean;
}

/**
 * Lease rows on the database's clock. Every call is one autocommitted statement without session state or named
 * statements, so it works behind PgBouncer in transaction mode; session advisory locks would not.
 */
export class PostgresDriver implements LockDriver {
  readonly name = 'postgres';
  /** Statements travel over different connections of the pool. */
  readonly isOrdered = false;
  readonly drift = 0.001;
  private listener: PostgresListener | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly processId: string,
  ) {}

  async start(signals: LockSignals): Promise<void> {
    this.listener = new PostgresListener(this.pool, this.processId, signals);
    await this.listener.start();
  }

  async stop(): Promise<void> {
    await this.listener?.stop();
  }

  async acquire(request: AcquireRequest): Promise<Granted | Busy> {
    const asked = this.ask(request);
    try {
      return await bounded(asked, request.timeoutMs);
    } catch (error) {
      void this.forget(request, asked);
      throw error;
    }
  }

  async renew({ keys, owner, token }: Holding, leaseMs: number): Promise<Renewal> {
    const { rows } = await this.pool.query<{ outcome: number }>(RENEW, [keys, owner, token.toString(), leaseMs]);
    const outcome = rows[0]?.outcome;
    if (outcome === 2) return 'contended';
    return outcome === 1 ? 'renewed' : 'lost';
  }

  async release({ keys, owner, token, since }: Holding): Promise<void> {
    await this.pool.query(RELEASE, [keys, owner, token.toString(), since, GRACE_MS]);
  }

  async isHeld(keys: readonly string[], heirOf = ''): Promise<boolean> {
    const { rows } = await this.pool.query<{ held: boolean }>(IS_HELD, [keys, heirOf]);
    return rows[0]?.held ?? false;
  }

  async list(limit: number): Promise<StoredLock[]> {
    const { rows } = await this.pool.query<StoredLock>(LIST, [limit]);
    return rows;
  }

  /** Deletes rows that have been free for so long that their token cannot matter any more. Returns how many. */
  async purge(olderThanMs: number, limit: number): Promise<number> {
    const { rowCount } = await this.pool.query(PURGE, [olderThanMs, limit]);
    return rowCount ?? 0;
  }

  /** The release waits for the request's own end: on another connection it would overtake it and find nothing. */
  private async forget(request: AcquireRequest, asked: Promise<Granted | Busy>): Promise<void> {
    const reply = await asked.catch(() => undefined);
    const since = reply?.isGranted === false ? reply.since : request.since;
    await compensate({ ...request, since }, (holding) => this.release(holding));
  }

  private async ask(request: AcquireRequest): Promise<Granted | Busy> {
    const { keys, owner, leaseMs, floor, spare, since, heirOf } = request;
    const values = [keys, owner, leaseMs, floor.toString(), spare, since, GRACE_MS, heirOf];
    for (let race = 1; ; race += 1) {
      try {
        const { rows } = await this.pool.query<AcquireRow>(ACQUIRE, values);
        const [row] = rows;
        if (!row) throw new Error('lock_acquire returned no row');
        const { granted, contended: isContended, retry_ms: retryMs } = row;
        return granted !== null
          ? { isGranted: true, token: BigInt(granted), isContended, driver: this }
          : { isGranted: false, since: Number(row.since), retryMs, blocked: row.blocked ?? [], driver: this };
      } catch (error) {
        if (race >= MAX_RACES || !isRetryable(error)) throw error;
      }
    }
  }
}
