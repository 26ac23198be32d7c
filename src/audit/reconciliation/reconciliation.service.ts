import { Inject, Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { type LedgerCharge, PAYMENT_GATEWAY, type PaymentGateway } from '../../payment/gateway/payment-gateway.js';
import { LedgerAuditService } from '../ledger/ledger-audit.service.js';
import type { LedgerBooked, LedgerDifference } from '../ledger/ledger.repository.js';
import type { Finding, ReconciliationReport } from './reconciliation-report.js';
import { ReconciliationRepairs } from './reconciliation-repairs.js';
import { ReconciliationRepository } from './reconciliation.repository.js';

/** More repairs at once would be an incident rather than a repair. The rest is left to the next run. */
const MAX_FINDINGS = 1_000;
const REPAIRS_AT_ONCE = 16;

/** How far back the first run looks, and how far each later one overlaps with the one before. */
const FIRST_WINDOW_MS = 3_600_000;
const OVERLAP_MS = 300_000;

/**
 * Compares the provider's ledger with our payments and orders. It repairs only in the direction of the provider's facts
 * and the customer's money: it wakes sagas that missed a callback, pays back strays, and repays refunds that the
 * provider took back. Everything else is reported to people.
 */
@Injectable()
export class ReconciliationService {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly transactions: TransactionRunner,
    private readonly audit: LedgerAuditService,
    private readonly repository: ReconciliationRepository,
    private readonly repairs: ReconciliationRepairs,
  ) {}

  /**
   * Continues where the last run of any instance ended, so that changes during an outage, perhaps of days, are compared
   * too.
   */
  async runFromLast(signal: AbortSignal): Promise<ReconciliationReport> {
    const { provider } = this.gateway;
    const { now, until } = await this.repository.progress(this.transactions, provider);
    const from = until?.getTime() ?? now.getTime() - FIRST_WINDOW_MS;
    const report = await this.run(new Date(from - OVERLAP_MS), signal);
    if (!report.isTruncated) await this.repository.advance(this.transactions, provider, now);
    return report;
  }

  async run(since: Date, signal: AbortSignal): Promise<ReconciliationReport> {
    const startedAt = performance.now();
    const { charges, differences, failedRefunds } = await this.audit.compare(since, MAX_FINDINGS, signal);
    const explained = new Set(failedRefunds.map((refund) => refund.transactionId));
    const others = differences.filter(({ transactionId }) => !explained.has(transactionId));
    const findings = [
      ...(await this.wakeWaiting(charges)),
      ...(await inGroups(failedRefunds, signal, (refund) => this.repairs.repay(refund, signal))),
      ...(await inGroups(others, signal, (difference) => this.judge(difference, signal))),
      ...(await this.repairs.noteDisputes(since, signal)),
      ...(await this.findAbandoned()),
    ];
    const ms = Math.round(performance.now() - startedAt);
    const isTruncated = Math.max(differences.length, failedRefunds.length) >= MAX_FINDINGS;
    return { provider: this.gateway.provider, since, charges: charges.length, ms, findings, isTruncated };
  }

  private async wakeWaiting(charges: readonly LedgerCharge[]): Promise<Finding[]> {
    const { provider } = this.gateway;
    const missed = await this.transactions.survey((tx) =>
      this.repository.missedCallbacks(tx, provider, charges, MAX_FINDINGS),
    );
    const findings: Finding[] = [];
    for (const callback of missed) {
      const result = await this.repairs.wake(callback);
      if (!result) continue; // its callback was quicker
      const { orderId, transactionId, state } = callback;
      const detail = `the charge is ${state} and its callback has not come`;
      findings.push({ kind: 'missed-callback', orderId, transactionId, detail, result });
    }
    return findings;
  }

  private async judge(difference: LedgerDifference, signal: AbortSignal): Promise<Finding> {
    const { transactionId, orderId, provider, ours } = difference;
    const base = { orderId, transactionId, result: 'needs attention' as const };
    if (provider && ours) {
      if (ours.authorized > 0) return this.repairs.close(difference, signal);
      if (provider.refunded < ours.refunded) {
        const [repaid] = await this.repairs.repayOf(orderId, transactionId, signal);
        if (repaid) return repaid;
      }
      const detail = `the provider has ${money(provider)}, we have ${money(ours)}`;
      return { ...base, kind: 'amounts-differ', detail };
    }
    if (ours) return { ...base, kind: 'missing-at-provider', detail: `we have ${money(ours)}` };
    // Another installation may use the same account: a charge of an order that we do not have is not ours to pay back.
    if (!difference.isOrderKnown)
      return { ...base, kind: 'unknown-order', detail: 'for an order that does not exist here' };
    if (provider && provider.authorized > 0) return this.repairs.release({ orderId, transactionId }, signal);
    if (!provider) return { ...base, kind: 'amounts-differ', detail: 'neither side knows it' };
    return this.repairs.payBack({ ...provider, orderId, transactionId }, signal);
  }

  /** Work that has stopped and needs a person. */
  private async findAbandoned(): Promise<Finding[]> {
    const [stuck, dead] = await this.transactions.survey((tx) =>
      Promise.all([this.repository.stuckSagas(tx, MAX_FINDINGS), this.repository.deadEvents(tx, MAX_FINDINGS)]),
    );
    const result = 'needs attention' as const;
    return [
      ...stuck.map(({ id, name, subject, detail }) => ({
        kind: 'stuck-saga',
        orderId: subject,
        transactionId: null,
        detail: `${name} ${id}: ${detail ?? 'gave up'}`,
        result,
      })),
      ...dead.map(({ id, type, transactionId, orderId, error }) => ({
        kind: 'dead-event',
        orderId,
        transactionId,
        detail: `${type} ${id}: ${error ?? 'gave up'}`,
        result,
      })),
    ];
  }
}

function money({ authorized, captured, refunded, currency }: Omit<LedgerBooked, 'orderId'>): string {
  return authorized > 0
    ? `authorised ${authorized} ${currency}`
    : `captured ${captured} ${currency} and refunded ${refunded}`;
}

async function inGroups<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<Finding>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let next = 0; next < items.length && !signal.aborted; next += REPAIRS_AT_ONCE)
    findings.push(...(await Promise.all(items.slice(next, next + REPAIRS_AT_ONCE).map(work))));
  return findings;
}
