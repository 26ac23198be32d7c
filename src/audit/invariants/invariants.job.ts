import { Inject, Injectable, Logger } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { Loops } from '../../platform/loops/loops.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { InvariantHistoryRepository } from './invariant-history.repository.js';
import { InvariantsService } from './invariants.service.js';

const EVERY_MS = 60_000;
/** A check reads whole tables, so it rests in proportion and never takes more than a twentieth of the time. */
const PACE = { firstMs: EVERY_MS, minMs: EVERY_MS, maxMs: EVERY_MS, restFactor: 20 };
const DEADLINE_MS = 10 * 60_000;
const DAY_SECONDS = 86_400;
const PURGE_BATCH = 1_000;

/** Keeps the metric current. The reconciliation compares the provider's ledger and reports to the same metric. */
@Injectable()
export class InvariantsJob {
  private readonly logger = new Logger(InvariantsJob.name);

  constructor(
    @Inject(APP_CONFIG) { retention }: AppConfig,
    private readonly invariants: InvariantsService,
    history: InvariantHistoryRepository,
    transactions: TransactionRunner,
    loops: Loops,
  ) {
    loops.schedule({ name: 'invariants', pace: PACE, deadlineMs: DEADLINE_MS, round: () => this.check() });
    loops.schedulePurge({
      name: 'invariant-history-purge',
      batch: PURGE_BATCH,
      purge: () => history.purge(transactions, retention.history * DAY_SECONDS, PURGE_BATCH),
    });
  }

  private async check(): Promise<void> {
    for (const { name, ok, violations } of await this.invariants.checkOwn()) {
      if (!ok) this.logger.error({ msg: 'an invariant is violated', check: name, violations: violations.slice(0, 5) });
    }
  }
}
