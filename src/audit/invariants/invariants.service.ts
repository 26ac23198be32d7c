import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { messageOf } from '../../common/error-message.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { LedgerAuditService } from '../ledger/ledger-audit.service.js';
import type { LedgerDifference } from '../ledger/ledger.repository.js';
import { InvariantHistoryRepository } from './invariant-history.repository.js';
import {
  type HistoryListQuery,
  type HistoryPage,
  type InvariantReport,
  type InvariantResult,
  toHistoryPage,
} from './invariants.dto.js';
import { InvariantsRepository } from './invariants.repository.js';

const MAX_VIOLATIONS = 100;
const LEDGER_TIMEOUT_MS = 25_000;
export const LEDGER_CHECK = 'provider-ledger-equals-payments';
/** The sandbox is compared completely. A provider whose ledger is read over the internet is compared from here on. */
const WINDOW_MS = 48 * 3_600_000;

/** Checks every invariant now. */
@Injectable()
export class InvariantsService {
  private readonly logger = new Logger(InvariantsService.name);
  private readonly violations: Gauge<'check'>;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly repository: InvariantsRepository,
    private readonly history: InvariantHistoryRepository,
    private readonly audit: LedgerAuditService,
    metrics: Metrics,
  ) {
    this.violations = metrics.gauge('invariant_violations', 'Violations found by the last check, at most 100 counted', [
      'check',
    ]);
  }

  async check(): Promise<InvariantReport> {
    const checks = [...(await this.checkDatabase()), await this.checkLedger()];
    await this.remember(checks);
    return { ok: checks.every(({ ok }) => ok), checks };
  }

  async listHistory({ name, cursor: before, limit }: HistoryListQuery): Promise<HistoryPage> {
    const rows = await this.history.list(this.transactions, { name, before, limit: limit + 1 });
    return toHistoryPage(rows, limit);
  }

  /** What the job checks every minute. The ledger is read by the reconciliation. */
  async checkOwn(): Promise<InvariantResult[]> {
    const checks = await this.checkDatabase();
    await this.remember(checks);
    return checks;
  }

  /** Our own tables, in one snapshot, so that concurrent commits cannot separate two numbers that belong together. */
  private async checkDatabase(): Promise<InvariantResult[]> {
    const { reservation, saga } = this.config;
    const grace = { sweepSeconds: reservation.sweepSeconds * 4, leaseMs: saga.leaseMs * 4 };
    const found = await this.transactions.survey((tx) => this.repository.check(tx, MAX_VIOLATIONS, grace));
    return found.map(({ name, violations }) => this.note(name, violations));
  }

  /**
   * The reconciliation has just read what has changed in the ledger. That nothing differs there does not mean that nothing
   * does, so only differences are remembered; a check of everything says that they are gone.
   */
  async observeLedger(differences: InvariantResult['violations']): Promise<void> {
    const violations = differences.slice(0, MAX_VIOLATIONS);
    this.note(LEDGER_CHECK, violations);
    if (violations.length > 0) await this.remember([{ name: LEDGER_CHECK, ok: false, violations }]);
  }

  /** What was found counts, also where it cannot be stored. */
  private async remember(results: readonly InvariantResult[]): Promise<void> {
    await this.history
      .record(this.transactions, results)
      .catch((error: unknown) => this.logger.warn(`the history of invariants lacks a check: ${messageOf(error)}`));
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
    ? 'authorised or captured at the provider, unknown to us'
    : !provider
      ? 'authorised or captured by our books, unknown to the provider'
      : 'the provider and we disagree';
  return { ...difference, problem };
}
