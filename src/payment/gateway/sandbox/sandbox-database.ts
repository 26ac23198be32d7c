import { Logger, OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { POINT_LOOKUPS } from '../../../infrastructure/database/data-source.js';
import { applySettings } from '../../../infrastructure/database/session-settings.js';
import { TransactionRunner } from '../../../infrastructure/database/transaction-runner.js';

const POOL_SIZE = 4;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/** The sandbox's own connections: it shares none with the service, as a real provider would not. */
export class SandboxDatabase extends TransactionRunner implements OnApplicationShutdown {
  constructor(url: string) {
    super(
      new Pool({
        connectionString: url,
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
