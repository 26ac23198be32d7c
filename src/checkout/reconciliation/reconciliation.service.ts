import { Inject, Injectable } from '@nestjs/common';
import { messageOf } from '../../common/error-message.js';
import { TransactionRunner } from '../../infrastructure/database/transaction-runner.js';
import { type LedgerCharge, PAYMENT_GATEWAY, type PaymentGateway } from '../../payment/gateway/payment-gateway.js';
import { SagaRecoveryJob } from '../../saga/saga-recovery.job.js';
import { LedgerAuditService } from '../ledger/ledger-audit.service.js';
import type { LedgerDifference } from '../ledger/ledger.repository.js';
import { StrayService } from '../strays/stray.service.js';
import type { Finding, ReconciliationReport } from './reconciliation-report.js';
import { ReconciliationRepository } from './reconciliation.repository.js';

/** More than this at once is not a repair but an incident: the rest is found by the next run. */
const MAX_FINDINGS = 1_000;
const REPAIRS_AT_ONCE = 16;

/**
 * The provider's ledger against our payments and orders. Repairs what only moves towards what the provider says and the
 * customer is owed: it wakes sagas that missed a callback and pays back strays. The rest is reported to people.
 */
@Injectable()
export class ReconciliationService {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly transactions: TransactionRunner,
    private readonly audit: LedgerAuditService,
    private readonly repository: ReconciliationRepository,
    private readonly recovery: SagaRecoveryJob,
    private readonly strays: StrayService,
  ) {}

  async run(since: Date, signal: AbortSignal): Promise<ReconciliationReport> {
    const startedAt = performance.now();
    const { charges, differences } = await this.audit.compare(since, MAX_FINDINGS, signal);
    const findings = [
      ...(await this.wakeWaiting(charges)),
      ...(await this.settle(differences, signal)),
      ...(await this.findAbandoned()),
    ];
    const ms = Math.round(performance.now() - startedAt);
    return { provider: this.gateway.provider, since, charges: charges.length, ms, findings };
  }

  private async wakeWaiting(charges: readonly LedgerCharge[]): Promise<Finding[]> {
    const { provider } = this.gateway;
    const missed = await this.transactions.survey((tx) =>
      this.repository.missedCallbacks(tx, provider, charges, MAX_FINDINGS),
    );
    const findings: Finding[] = [];
    for (const { sagaId, orderId, transactionId, state } of missed) {
      if (!(await this.recovery.wake(sagaId))) continue; // its callback was quicker
      const detail = `the charge is ${state} and its callback has not come`;
      findings.push({ kind: 'missed-callback', orderId, transactionId, detail, result: 'woken' });
    }
    return findings;
  }

  private async settle(differences: readonly LedgerDifference[], signal: AbortSignal): Promise<Finding[]> {
    const findings: Finding[] = [];
    for (let next = 0; next < differences.length && !signal.aborted; next += REPAIRS_AT_ONCE) {
      const group = differences.slice(next, next + REPAIRS_AT_ONCE);
      findings.push(...(await Promise.all(group.map((difference) => this.judge(difference, signal)))));
    }
    return findings;
  }

  private async judge(difference: LedgerDifference, signal: AbortSignal): Promise<Finding> {
    const { transactionId, orderId, provider, ours } = difference;
    const base = { orderId, transactionId, result: 'needs attention' as const };
    if (provider && ours) {
      const detail = `the provider has captured ${money(provider)}, we have ${money(ours)}`;
      return { ...base, kind: 'amounts-differ', detail };
    }
    if (ours) return { ...base, kind: 'missing-at-provider', detail: `we have captured ${money(ours)}` };
    // Another installation may use the same account: what is not ours is not ours to pay back.
    if (!difference.isOrderKnown)
      return { ...base, kind: 'unknown-order', detail: 'captured for an order that does not exist here' };
    return this.payBack(difference, signal);
  }

  private async payBack(difference: LedgerDifference, signal: AbortSignal): Promise<Finding> {
    const { transactionId, orderId, provider } = difference;
    const {
      captured: amount,
      refunded: refundedAmount,
      currency,
    } = provider ?? { captured: 0, refunded: 0, currency: '' };
    const base = { kind: 'stray-charge', orderId, transactionId };
    const detail = `${amount} ${currency} captured, which no payment of ours stands for`;
    try {
      const stray = { orderId, transactionId, amount, refundedAmount, currency, source: 'reconciliation' as const };
      const { ended } = await this.strays.payBack(stray);
      const isEnded = await Promise.race([ended.then(() => true), aborted(signal)]);
      const isPaid = isEnded && (await this.strays.isPaidBack(transactionId));
      return { ...base, detail, result: isPaid ? 'paid back' : 'being paid back' };
    } catch (error) {
      return { ...base, detail: `${detail}; ${messageOf(error)}`, result: 'needs attention' };
    }
  }

  /** What has stopped and waits for a person. */
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

function money({ captured, refunded, currency }: { captured: number; refunded: number; currency: string }): string {
  return `${captured} ${currency} and refunded ${refunded}`;
}

function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    else signal.addEventListener('abort', () => resolve(false), { once: true });
  });
}
