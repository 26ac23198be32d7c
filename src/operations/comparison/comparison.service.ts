import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { isId } from '../../common/id.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { InvariantHistoryRepository } from '../../audit/invariants/invariant-history.repository.js';
import { LEDGER_CHECK } from '../../audit/invariants/invariants.service.js';
import { OrderFactsRepository } from '../preview/order-facts.repository.js';
import type { OrderFacts } from '../preview/order-facts.js';
import { disagreements, type ProviderCharge } from './comparison.js';
import type { Comparison, Differences } from './comparison.dto.js';
import { ProviderCharges } from './provider-charges.js';

const MAX_RESULTS = 20;
const MAX_ORDERS = 30;
/** Providers limit concurrent requests. */
const AT_ONCE = 6;

/** Compares an order with its payment and with the provider's present records of it. */
@Injectable()
export class ComparisonService {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly facts: OrderFactsRepository,
    private readonly charges: ProviderCharges,
    private readonly history: InvariantHistoryRepository,
  ) {}

  async of(orderId: string): Promise<Comparison> {
    const facts = (await this.facts.of(this.transactions, [orderId])).get(orderId);
    if (!facts) throw new DomainError('ORDER_NOT_FOUND', 'The order does not exist');
    return this.compare(facts);
  }

  /** Differences that the reconciliation or a check has found, and that still exist. */
  async differences(): Promise<Differences> {
    const broken = await this.history.brokenSinceOk(this.transactions, LEDGER_CHECK, MAX_RESULTS);
    const found = broken.flatMap(({ violations }) => violations.map(toFinding));
    const orderIds = [...new Set(found.flatMap(({ orderId }) => (isId(orderId) ? [orderId] : [])))];
    const facts = await this.facts.of(this.transactions, orderIds.slice(0, MAX_ORDERS));
    const items: Comparison[] = [];
    const known = [...facts.values()];
    for (let next = 0; next < known.length; next += AT_ONCE)
      items.push(...(await Promise.all(known.slice(next, next + AT_ONCE).map((order) => this.compare(order)))));
    const foreign = found.filter(({ orderId, transactionId }) => transactionId !== '' && !facts.has(orderId ?? ''));
    return {
      items: items.filter(({ problems }) => problems.length > 0),
      foreign: [...new Map(foreign.map((finding) => [finding.transactionId, finding])).values()],
      isTruncated: orderIds.length > MAX_ORDERS || broken.length === MAX_RESULTS,
    };
  }

  private async compare(facts: OrderFacts): Promise<Comparison> {
    const signal = AbortSignal.timeout(this.config.payment.timeoutMs);
    const { charges, strayIds, isOpen } = await this.charges.of(facts, signal);
    const { orderId, state, total, currency, payment, transactionId, amount, captured, refunded } = facts;
    return {
      orderId,
      order: { state, total, currency },
      payment:
        payment === null
          ? null
          : { state: payment, transactionId, amount, capturedAmount: captured, refundedAmount: refunded, currency },
      provider: {
        name: this.charges.provider,
        charges: charges.map((charge) => ({ ...toView(charge), isStray: strayIds.has(charge.id) })),
      },
      isOpen,
      problems: disagreements(facts, charges, strayIds),
      comparedAt: new Date().toISOString(),
    };
  }
}

function toView(charge: ProviderCharge): ProviderCharge {
  const { id, state, amount, capturedAmount, refundedAmount, currency } = charge;
  return { id, state, amount, capturedAmount, refundedAmount, currency };
}

function toFinding({ transactionId, orderId, problem }: Record<string, unknown>) {
  return {
    transactionId: typeof transactionId === 'string' ? transactionId : '',
    orderId: typeof orderId === 'string' ? orderId : null,
    problem: typeof problem === 'string' ? problem : 'differs',
  };
}
