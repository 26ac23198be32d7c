import { Injectable } from '@nestjs/common';
import { Loops } from '../platform/loops/loops.js';
import { PostgresDriver } from './drivers/postgres/postgres.driver.js';

const PURGE_MS = 30_000;
const RETENTION_MS = 300_000;
const BATCH = 20_000;

/** Payment locks are one row per order: rows that have been free for minutes go, their token is below the clock. */
@Injectable()
export class LockPurgeJob {
  constructor(driver: PostgresDriver, loops: Loops) {
    const purge = () => driver.purge(RETENTION_MS, BATCH);
    loops.schedulePurge({ name: 'lock-purge', everyMs: PURGE_MS, batch: BATCH, purge });
  }
}
