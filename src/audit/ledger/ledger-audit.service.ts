import { Inject, Injectable } from '@nestjs/common';
import { sleep } from '../../common/backoff.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { type LedgerCharge, PAYMENT_GATEWAY, type PaymentGateway } from '../../payment/gateway/payment-gateway.js';
import type { FailedRefund } from '../refund-failures/failed-refund.js';
import { FailedRefundService } from '../refund-failures/failed-refund.service.js';
import { LedgerDifference, LedgerRepository } from './ledger.repository.js';

export interface LedgerAudit {
  readonly charges: readonly LedgerCharge[];
  readonly differences: readonly LedgerDifference[];
  /** A refund that is SETTLED here and that the provider took back. */
  readonly failedRefunds: readonly FailedRefund[];
}

const SETTLE_MS = 250;
/** Clocks differ: the provider may date a charge before `since` that we captured within this time after it. */
const SKEW_MS = 60_000;

/** Compares the provider's ledger with our payments. */
@Injectable()
export class LedgerAuditService {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly transactions: TransactionRunner,
    private readonly ledger: LedgerRepository,
    private readonly refunds: FailedRefundService,
  ) {}

  /**
   * Charges that were made or changed since. The two sides cannot be read in one snapshot, so changes in between look
   * like differences for a moment: a difference counts only if a second comparison finds exactly the same one. A failed
   * refund does not change any more, so one comparison is enough for it.
   */
  async compare(since: Date, limit: number, signal: AbortSignal): Promise<LedgerAudit> {
    const first = await this.look(since, limit, signal);
    if (first.differences.length === 0) return first;
    await sleep(SETTLE_MS, signal);
    const second = await this.look(since, limit, signal);
    const known = new Set(first.differences.map((difference) => JSON.stringify(difference)));
    return { ...second, differences: second.differences.filter((difference) => known.has(JSON.stringify(difference))) };
  }

  private async look(since: Date, limit: number, signal: AbortSignal): Promise<LedgerAudit> {
    const charges: LedgerCharge[] = [];
    for await (const page of this.gateway.listCharges(since, signal)) charges.push(...page);
    const missingSince = new Date(since.getTime() + SKEW_MS);
    const { provider } = this.gateway;
    const differences = await this.transactions.survey((tx) =>
      this.ledger.differences(tx, provider, charges, missingSince, limit),
    );
    return { charges, differences, failedRefunds: await this.failedRefunds(since, limit, signal) };
  }

  private async failedRefunds(since: Date, limit: number, signal: AbortSignal): Promise<FailedRefund[]> {
    const found: FailedRefund[] = [];
    for await (const page of this.gateway.listFailedRefunds(since, signal)) {
      found.push(...(await this.refunds.among(page)));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }
}
