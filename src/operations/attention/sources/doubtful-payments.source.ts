import { Injectable } from '@nestjs/common';
import { formatMoney } from '../../../common/money.js';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';
import { SagaRegistry } from '../../../saga/saga-registry.js';
import { SagaRepository } from '../../../saga/saga.repository.js';
import { OrderFactsRepository } from '../../preview/order-facts.repository.js';
import { sagaVerb } from '../../preview/preview.js';
import type { SagaDataView } from '../../preview/step-effects.js';
import { type AttentionSource, outlook } from '../attention-source.js';
import type { AttentionGroup, AttentionItem } from '../attention.dto.js';
import { AttentionRepository, type DoubtfulPayment } from '../attention.repository.js';

/** The engine asks the provider again by itself and nearly always gets an answer within a minute. */
const LONG_MS = 5 * 60_000;
const MAX_PAYMENTS = 100;

/** Payments whose outcome has been unknown for long, although their sagas are still asking. */
@Injectable()
export class DoubtfulPaymentsSource implements AttentionSource {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly attention: AttentionRepository,
    private readonly sagas: SagaRepository,
    private readonly registry: SagaRegistry,
    private readonly facts: OrderFactsRepository,
  ) {}

  async groups(): Promise<AttentionGroup[]> {
    const payments = await this.attention.doubtful(this.transactions, LONG_MS, MAX_PAYMENTS);
    const [oldest] = payments;
    if (!oldest) return [];
    const items = await this.toItems(payments);
    return [
      {
        cause: 'payment-in-doubt',
        kind: 'payment-in-doubt',
        title: 'The provider does not say whether a charge went through',
        why: 'It has not answered for more than five minutes. Nothing is charged again meanwhile, and we keep asking.',
        count: items.length,
        oldestAt: oldest.since.toISOString(),
        advice:
          'Usually there is nothing to do but to wait for the provider. Compensate to give an order up: it is asked first.',
        ...outlook(items, null),
        bulk: null,
        items,
      },
    ];
  }

  private async toItems(payments: readonly DoubtfulPayment[]): Promise<AttentionItem[]> {
    const [sagas, facts] = await Promise.all([
      this.sagas.find(
        this.transactions,
        payments.map(({ sagaId }) => sagaId),
      ),
      this.facts.of(
        this.transactions,
        payments.map(({ orderId }) => orderId),
      ),
    ]);
    const byId = new Map(sagas.map((saga) => [saga.id, saga]));
    return payments.map(({ orderId, sagaId, since }) => {
      const order = facts.get(orderId);
      const saga = byId.get(sagaId);
      const definition = saga && this.registry.find(saga.name, saga.version);
      const compensate =
        saga && sagaVerb('compensate', { ...saga, data: saga.data as SagaDataView }, definition, order);
      return {
        subjectKind: 'saga',
        subject: sagaId,
        orderId,
        since: since.toISOString(),
        problem: order
          ? `${formatMoney(order.amount, order.currency)} may have been charged`
          : 'The charge is in doubt',
        verbs: compensate ? [compensate] : [],
      };
    });
  }
}
