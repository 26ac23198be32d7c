import { Inject, Injectable } from '@nestjs/common';
import { firstIdOf } from '../../common/id.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Loop } from '../../platform/loops/loop.js';
import { Loops } from '../../platform/loops/loops.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { AGED, type Aged, AUDITS, RetentionRepository } from './retention.repository.js';

const BATCH = 2_000;
const DAY_MS = 24 * 3_600_000;
const OLDEST = firstIdOf(0);

/** Deletes what is older than the shop wants to keep. Every instance may: batches skip what another one has locked. */
@Injectable()
export class RetentionJob {
  private readonly loops: readonly Loop[];
  /** Where the last batch of a round ended; the next round begins anew, because rows that were open then may have ended. */
  private readonly positions = new Map<Aged, string>();

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly rows: RetentionRepository,
    loops: Loops,
  ) {
    const { actions } = config.retention;
    const aged = AGED.filter((what) => config.retention[what] > 0).map((what) =>
      loops.schedulePurge({ name: `${what}-purge`, batch: BATCH, purge: () => this.purge(what) }),
    );
    const audits = AUDITS.filter(() => actions > 0).map((table) => {
      const purge = () => rows.purgeAudits(transactions, table, actions, BATCH);
      return loops.schedulePurge({ name: `${table.replace('_', '-')}-purge`, batch: BATCH, purge });
    });
    this.loops = [...aged, ...audits];
  }

  async run(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.runNow()));
  }

  private async purge(what: Aged): Promise<number> {
    const before = firstIdOf(Date.now() - this.config.retention[what] * DAY_MS);
    const deleted = await this.rows.purge(this.transactions, what, this.positions.get(what) ?? OLDEST, before, BATCH);
    if (deleted.length === BATCH)
      this.positions.set(
        what,
        deleted.reduce((a, b) => (a > b ? a : b)),
      );
    else this.positions.delete(what);
    return deleted.length;
  }
}
