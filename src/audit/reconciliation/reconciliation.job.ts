import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { Loops } from '../../platform/loops/loops.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { LockTimeoutError } from '../../lock/lock-errors.js';
import { LockService } from '../../lock/lock.service.js';
import { InvariantsService } from '../invariants/invariants.service.js';
import { LEDGER_KINDS, needsAttention, ReconciliationReport } from './reconciliation-report.js';
import { ReconciliationService } from './reconciliation.service.js';

export const RECONCILIATION_LOCK = 'payment:reconciliation';
/** After days without any instance, the first run has days to read, page by page. */
export const RECONCILIATION_TERMS = { leaseMs: 60_000, waitMs: 0, workMs: 30 * 60_000 };
/** Rests at least this many times as long as it worked. */
const REST_FACTOR = 10;
const SHOWN = 5;

/**
 * Compares every RECONCILE_SECONDS what has changed, one instance at a time. `npm run reconcile` compares everything.
 */
@Injectable()
export class ReconciliationJob {
  private readonly logger = new Logger(ReconciliationJob.name);
  private readonly findings: Counter<'kind' | 'result'>;

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly locks: LockService,
    private readonly reconciliation: ReconciliationService,
    private readonly invariants: InvariantsService,
    loops: Loops,
    metrics: Metrics,
  ) {
    this.findings = metrics.counter('reconciliation_findings_total', 'What the reconciliation found', [
      'kind',
      'result',
    ]);
    const everyMs = config.payment.reconcileSeconds * 1_000;
    loops.schedule({
      name: 'reconciliation',
      pace: { firstMs: everyMs, minMs: everyMs, maxMs: everyMs, restFactor: REST_FACTOR },
      deadlineMs: RECONCILIATION_TERMS.workMs,
      round: (signal) => this.run(signal),
    });
  }

  private async run(signal: AbortSignal): Promise<void> {
    try {
      await this.locks.withLock([RECONCILIATION_LOCK], { ...RECONCILIATION_TERMS, signal }, async (lease) => {
        await this.report(await this.reconciliation.runFromLast(AbortSignal.any([lease.signal, signal])));
      });
    } catch (error) {
      if (!(error instanceof LockTimeoutError)) throw error; // another instance is at it
    }
  }

  private async report({ findings, charges, ms }: ReconciliationReport): Promise<void> {
    for (const { kind, result } of findings) this.findings.inc({ kind, result });
    const open = findings.filter(needsAttention);
    const differences = open.filter(({ kind }) => LEDGER_KINDS.has(kind));
    await this.invariants.observeLedger(differences.map(({ detail, ...rest }) => ({ ...rest, problem: detail })));
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
