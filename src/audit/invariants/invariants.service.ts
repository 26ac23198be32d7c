import { Inject, Injectable } from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { messageOf } from '../../common/error-message.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { LedgerAuditService } from '../ledger/ledger-audit.service.js';
import type { LedgerDifference } from '../ledger/ledger.repository.js';
import type { InvariantReport, InvariantResult } from './invariants.dto.js';
import { InvariantsRepository } from './invariants.repository.js';

const MAX_VIOLATIONS = 100;
const LEDGER_TIMEOUT_MS = 25_000;
const LEDGER_CHECK = 'provider-ledger-equals-payments';
/** The sandbox is compared completely. A provider whose ledger is read over the internet is compared from here on. */
const WINDOW_MS = 48 * 3_600_000;

/** Checks every invariant now. */
@Injectable()
export class InvariantsService {
  private readonly violations: Gauge<'check'>;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly repository: InvariantsRepository,
    private readonly audit: LedgerAuditService,
    metrics: Metrics,
  ) {
    this.violations = metrics.gauge('invariant_violations', 'Violations found by the last check, at most 100 counted', [
      'check',
    ]);
  }

  async check(): Promise<InvariantReport> {
    const checks = [...(await this.checkDatabase()), await this.checkLedger()];
    return { ok: checks.every(({ ok }) => ok), checks };
  }

  /** Our own tables, in one snapshot, so that concurrent commits cannot separate two numbers that belong together. */
  async checkDatabase(): Promise<InvariantResult[]> {
    const { reservation, saga } = this.config;
    const grace = { sweepSeconds: reservation.sweepSeconds * 4, leaseMs: saga.leaseMs * 4 };
    const found = await this.transactions.survey((tx) => this.repository.check(tx, MAX_VIOLATIONS, grace));
    return found.map(({ name, violations }) => this.note(name, violations));
  }

  /** The reconciliation has just read the ledger. */
  observeLedger(violations: number): void {
    this.violations.set({ check: LEDGER_CHECK }, Math.min(violations, MAX_VIOLATIONS));
  }

  private async checkLedger(): Promise<InvariantResult> {
    const since = new Date(this.config.payment.gateway === 'sandbox' ? 0 : Date.now() - WINDOW_MS);
    try {
      const signal = AbortSignal.timeout(LEDGER_TIMEOUT_MS);
      const { differences, failedRefunds } = await this.audit.compare(since, MAX_VIOLATIONS, signal);
      const failures = failedRefunds.map(({ orderId, transactionId, amount, reason }) => {
        const problem = 'settled by our books, taken back by the provider';
        return { orderId, transactionId, amount, reason, problem };
      });
      return this.note(LEDGER_CHECK, [...differences.map(describe), ...failures].slice(0, MAX_VIOLATIONS));
    } catch (error) {
      // A check that could not run counts as failed.
      return this.note(LEDGER_CHECK, [{ problem: `the ledger could not be read: ${messageOf(error)}` }]);
    }
  }

  private note(name: string, violations: InvariantResult['violations']): InvariantResult {
    this.violations.set({ check: name }, violations.length);
    return { name, ok: violations.length === 0, violations };
  }
}

function describe(difference: LedgerDifference): Record<string, unknown> {
  const { provider, ours } = difference;
  const problem = !ours
    ? 'captured at the provider, unknown to us'
    : !provider
      ? 'captured by our books, unknown to the provider'
      : 'the provider and we disagree';
  return { ...difference, problem };
}
