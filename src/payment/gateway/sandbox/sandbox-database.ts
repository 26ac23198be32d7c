import { Logger, OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { boundedPool } from '../../../platform/postgres/bounded-client.js';
import { POINT_LOOKUPS } from '../../../platform/postgres/data-source.js';
import { connectionTarget } from '../../../platform/postgres/servers.js';
import { applySettings } from '../../../platform/postgres/session-settings.js';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';

const POOL_SIZE = 4;
const CONNECT_TIMEOUT_MS = 5_000;
/** Shorter than a gateway call may take, so that a hanging query ends while its caller still waits. */
const STATEMENT_TIMEOUT_MS = 3_000;

/** The sandbox's own connections. Like a real provider, it shares none with the service. */
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
    // A broken idle connection must not end the process. The next query reports the failure.
    this.pool.on('error', (error) => new Logger(SandboxDatabase.name).warn(`idle connection lost: ${error.message}`));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
