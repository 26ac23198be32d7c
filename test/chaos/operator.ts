import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { KEYS } from '../setup/app-process.js';
import { sendHttp } from './http-client.js';
import type { Stack } from './stack.js';

const LOOK_MS = 2_000;

/**
 * A person who looks after sagas that are STUCK, also while things go wrong: tries again; but where nobody knows whether a
 * checkout was charged, looks at the provider's ledger first, and turns it back if that has no charge.
 */
export class Operator {
  attended = 0;
  private isOff = false;
  private working: Promise<void> | undefined;

  constructor(private readonly stack: Stack) {}

  begin(): void {
    this.working = this.work();
  }

  async end(): Promise<void> {
    this.isOff = true;
    await this.working;
  }

  async attend(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ id: string; is_lost: boolean }>(
      `SELECT id, name = 'checkout' AND phase = 'call'
         AND NOT EXISTS (SELECT FROM sandbox.charges WHERE order_id = subject AND state IN ('PENDING', 'AUTHORIZED', 'CAPTURED')) AS is_lost
       FROM sagas WHERE state = 'STUCK'`,
    );
    for (const { id, is_lost: isLost } of rows) {
      await sendHttp(this.stack.balancer.port, {
        method: 'POST',
        path: `/v1/sagas/${id}/${isLost ? 'compensate' : 'retry'}`,
        headers: { 'x-api-key': KEYS.ADMIN_API_KEY },
        body: { reason: 'chaos: looked at it' },
        timeoutMs: 10_000,
      }).catch(() => undefined);
    }
    this.attended += rows.length;
  }

  /** On a connection of its own each time: the database comes and goes. */
  private async work(): Promise<void> {
    while (!this.isOff) {
      await this.look().catch(() => undefined);
      await sleep(LOOK_MS);
    }
  }

  private async look(): Promise<void> {
    const client = await this.stack.connectToDatabase();
    try {
      await this.attend(client);
    } finally {
      await client.end();
    }
  }
}
