import { Injectable } from '@nestjs/common';
import { formatMoney } from '../../../common/money.js';
import { TransactionRunner } from '../../../platform/postgres/transaction-runner.js';
import type { OrderFacts } from '../../preview/order-facts.js';
import { OrderFactsRepository } from '../../preview/order-facts.repository.js';
import { type OrderVerb, orderVerbs } from '../../preview/preview.js';
import { type AttentionSource, outlook, SHOWN } from '../attention-source.js';
import type { AttentionGroup, AttentionItem } from '../attention.dto.js';
import { type NotedPayment, PaymentAttentionRepository } from '../payment-attention.repository.js';

/** One kind of payments that wait for a person, and what to do about them. */
interface Kind extends Pick<AttentionGroup, 'kind' | 'title' | 'why' | 'advice'> {
  readonly recommended: OrderVerb | null;
  readonly verbs: readonly OrderVerb[];
  readonly problem: (order: OrderFacts, at: Date) => string;
}

const EXPIRING: Kind = {
  kind: 'authorization-expiring',
  title: 'An authorisation ends within a day',
  why: 'After that the card is free, and the order stands without a payment.',
  advice: 'Capture what is or will be shipped, or cancel the order. What is not captured is released.',
  recommended: 'capture',
  verbs: ['capture', 'cancel'],
  problem: ({ amount, currency }, at) => `${formatMoney(amount, currency)} until ${at.toISOString()}`,
};
const EXPIRED: Kind = {
  kind: 'authorization-expired',
  title: 'An order stands without a payment',
  why: 'Its authorisation has ended before it was captured: by its time, or at the provider.',
  advice: 'Cancel the order, or ask the customer to buy it again if it was not shipped.',
  recommended: 'cancel',
  verbs: ['cancel'],
  problem: ({ amount, currency }, at) => `${formatMoney(amount, currency)}, until ${at.toISOString()}`,
};
const DISPUTED: Kind = {
  kind: 'dispute',
  title: 'A customer disputes a payment',
  why: 'The customer’s bank wants the money back. Without an answer in time the shop loses it.',
  advice: 'Answer at the provider before its deadline. What is disputed cannot be refunded meanwhile.',
  recommended: null,
  verbs: [],
  problem: ({ captured, currency }, at) => `${formatMoney(captured, currency)}, since ${at.toISOString()}`,
};

/** Authorisations that end soon or have ended, and disputes. */
@Injectable()
export class NotedPaymentsSource implements AttentionSource {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly payments: PaymentAttentionRepository,
    private readonly facts: OrderFactsRepository,
  ) {}

  async groups(): Promise<AttentionGroup[]> {
    const [expiring, expired, disputed] = await this.transactions.read((db) =>
      Promise.all([
        this.payments.expiring(db, SHOWN),
        this.payments.expired(db, SHOWN),
        this.payments.disputed(db, SHOWN),
      ]),
    );
    const orderIds = [...expiring, ...expired, ...disputed].map(({ orderId }) => orderId);
    const facts = await this.facts.of(this.transactions, orderIds);
    return [
      toGroup(EXPIRING, expiring, facts),
      toGroup(EXPIRED, expired, facts),
      toGroup(DISPUTED, disputed, facts),
    ].flat();
  }
}

function toGroup(
  kind: Kind,
  payments: readonly NotedPayment[],
  facts: ReadonlyMap<string, OrderFacts>,
): AttentionGroup[] {
  const [oldest] = payments;
  if (!oldest) return [];
  const items = payments.flatMap(({ orderId, at }) => {
    const order = facts.get(orderId);
    return order ? [toItem(kind, order, at)] : [];
  });
  const { title, why, advice, recommended } = kind;
  return [
    {
      cause: kind.kind,
      ...{ kind: kind.kind, title, why, advice },
      count: oldest.count,
      oldestAt: oldest.at.toISOString(),
      ...outlook(items, recommended),
      bulk: null,
      items,
    },
  ];
}

function toItem({ verbs, problem }: Kind, order: OrderFacts, at: Date): AttentionItem {
  return {
    subjectKind: 'order',
    subject: order.orderId,
    orderId: order.orderId,
    since: at.toISOString(),
    problem: problem(order, at),
    verbs: orderVerbs(order).filter(({ verb }) => verbs.includes(verb)),
  };
}
