import { Inject, Injectable } from '@nestjs/common';
import { sleep } from '../../common/backoff.js';
import { TransactionRunner } from '../../infrastructure/database/transaction-runner.js';
import { type LedgerCharge, PAYMENT_GATEWAY, type PaymentGateway } from '../../payment/gateway/payment-gateway.js';
import { LedgerDifference, LedgerRepository } from './ledger.repository.js';

export interface LedgerAudit {
  readonly charges: readonly LedgerCharge[];
  readonly differences: readonly LedgerDifference[];
}

const SETTLE_MS = 250;
/** Clocks differ: what we captured within this after `since` may be dated before it by the provider. */
const SKEW_MS = 60_000;

/** The provider's books against ours. */
@Injectable()
export class LedgerAuditService {
  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly transactions: TransactionRunner,
    private readonly ledger: LedgerRepository,
  ) {}

  /**
   * The two sides cannot be read in one snapshot, so what changes in between looks different for a moment. A difference
   * counts only if a second look finds exactly the same one.
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
    return {
      charges,
      differences: await this.transactions.survey((tx) =>
        this.ledger.differences(tx, provider, charges, missingSince, limit),
      ),
    };
  }
}
