import { Logger, OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { boundedPool } from '../../../platform/postgres/bounded-client.js';
import { POINT_LOOKUPS } from '../../../platform/postgres/data-source.js';
import { connectionTarget } from '../../../platform/postgres/servers.js';
import { applySettings } from '../../../platform/postgres/session-settings.js';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';

const POOL_SIZE = 4;
const CONNECT_TIMEOUT_MS = 5_000;
/** Shorter than a gateway call may take: what hangs is given up while somebody still waits for it. */
const STATEMENT_TIMEOUT_MS = 3_000;

/** The sandbox's own connections: it shares none with the service, as a real provider would not. */
export class SandboxDatabase extends TransactionRunner implements OnApplicationShutdown {
  constructor(url: string) {
    super(
      new Pool({
        ...boundedPool(STATEMENT_TIMEOUT_MS),
        ...connectionTarget(url),
        max: POOL_SIZE,
        onConnect: applySettings({ ...POINT_LOOKUPS, statement_timeout: STATEMENT_TIMEOUT_MS }),
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        application_name: 'sandbox-gateway',
      }),
    );
    // An idle connection that breaks must not end the process; the next query reports what matters.
    this.pool.on('error', (error) => new Logger(SandboxDatabase.name).warn(`idle connection lost: ${error.message}`));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
