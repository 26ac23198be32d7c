import type { Pool } from 'pg';
import { backoffMs } from '../../../common/backoff.js';
import { BoundedClient } from '../../../platform/postgres/bounded-client.js';
import type { LockSignals } from '../../lock-driver.js';

const RECONNECT = { baseMs: 100, capMs: 5_000 };
/** A connection that only listens would not notice that its server is gone. */
const PING_MS = 10_000;
const PING_TIMEOUT_MS = 5_000;

/**
 * LISTEN on a connection of its own, never through the pool. Where it cannot work (PgBouncer in transaction mode) or is
 * away, waiters find their turn by the capped poll.
 */
export class PostgresListener {
  private client: BoundedClient | undefined;
  private ping: NodeJS.Timeout | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private failures = 0;

  constructor(
    private readonly pool: Pool,
    private readonly processId: string,
    private readonly signals: LockSignals,
  ) {}

  async start(): Promise<void> {
    const client = new BoundedClient({ ...this.pool.options, deadlineMs: PING_TIMEOUT_MS });
    this.client = client;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      clearInterval(this.ping);
      this.reconnect();
      client.destroy(new Error('the listener reconnects'));
    };
    client.on('error', over);
    client.on('end', over);
    client.on('notification', ({ payload = '' }) => {
      if (payload.startsWith('!')) this.signals.contend(payload.slice(1));
      else this.signals.wake(payload);
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(`lock_wake_${this.processId}`)}`);
      this.failures = 0;
      this.ping = setInterval(() => void client.query('SELECT 1').catch(over), PING_MS).unref();
      this.signals.wake(); // what was notified while nobody listened is lost
    } catch {
      over();
    }
  }

  stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    clearInterval(this.ping);
    this.client?.destroy(new Error('the listener stops'));
    return Promise.resolve();
  }

  private reconnect(): void {
    if (this.isStopped) return;
    this.failures += 1;
    this.timer = setTimeout(() => void this.start(), backoffMs(RECONNECT, this.failures));
    this.timer.unref();
  }
}
