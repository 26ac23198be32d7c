import { BeforeApplicationShutdown, Inject, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { messageOf } from '../../common/error-message.js';
import { APP_CONFIG, type AppConfig } from '../../infrastructure/config/app-config.js';
import { Metrics } from '../../infrastructure/metrics/metrics.js';
import { LockTimeoutError } from '../../lock/lock-errors.js';
import { LockService } from '../../lock/lock.service.js';
import { InvariantsService } from '../invariants/invariants.service.js';
import { LEDGER_KINDS, needsAttention, ReconciliationReport } from './reconciliation-report.js';
import { ReconciliationService } from './reconciliation.service.js';

export const RECONCILIATION_LOCK = 'payment:reconciliation';
const LEASE_MS = 60_000;
/** After days without any instance the first run has days to read, page by page. */
const TIMEOUT_MS = 30 * 60_000;
/** Rests at least this many times as long as it worked. */
const REST_FACTOR = 10;
const SHOWN = 5;

/** Reconciles every RECONCILE_SECONDS what has changed, one instance at a time; `npm run reconcile` looks at everything. */
@Injectable()
export class ReconciliationJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ReconciliationJob.name);
  private readonly stopping = new AbortController();
  private readonly findings: Counter<'kind' | 'result'>;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly locks: LockService,
    private readonly reconciliation: ReconciliationService,
    private readonly invariants: InvariantsService,
    metrics: Metrics,
  ) {
    this.findings = metrics.counter('reconciliation_findings_total', 'What the reconciliation found', [
      'kind',
      'result',
    ]);
  }

  onApplicationBootstrap(): void {
    this.schedule(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(workedMs: number): void {
    if (this.stopping.signal.aborted) return;
    const ms = Math.max(this.config.payment.reconcileSeconds * 1_000, workedMs * REST_FACTOR);
    this.timer = setTimeout(() => {
      this.running = this.run();
    }, ms);
  }

  private async run(): Promise<void> {
    const startedAt = Date.now();
    try {
      const options = { leaseMs: LEASE_MS, waitMs: 0, signal: this.stopping.signal };
      await this.locks.withLock([RECONCILIATION_LOCK], options, async (lease) => {
        const limits = [lease.signal, this.stopping.signal, AbortSignal.timeout(TIMEOUT_MS)];
        this.tell(await this.reconciliation.runFromLast(AbortSignal.any(limits)));
      });
    } catch (error) {
      const isElsewhere = error instanceof LockTimeoutError; // another instance is at it
      if (!isElsewhere && !this.stopping.signal.aborted) this.logger.warn(`reconciliation failed: ${messageOf(error)}`);
    }
    this.schedule(Date.now() - startedAt);
  }

  private tell({ findings, charges, ms }: ReconciliationReport): void {
    for (const { kind, result } of findings) this.findings.inc({ kind, result });
    const open = findings.filter(needsAttention);
    this.invariants.observeLedger(open.filter(({ kind }) => LEDGER_KINDS.has(kind)).length);
    if (findings.length === 0) return;
    const level = open.length > 0 ? 'error' : 'log';
    const shown = [...open, ...findings.filter((finding) => !needsAttention(finding))].slice(0, SHOWN);
    this.logger[level]({
      msg: 'reconciliation found differences',
      charges,
      ms,
      count: findings.length,
      open: open.length,
      shown,
    });
  }
}
