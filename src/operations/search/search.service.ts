import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/domain-error.js';
import { isId } from '../../common/id.js';
import { formatMoney } from '../../common/money.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { OrderSearchService } from '../../orders/order-search.service.js';
import type { OrderListQuery } from '../../orders/order.dto.js';
import { OrderFactsRepository } from '../preview/order-facts.repository.js';
import type { OrderFacts } from '../preview/order-facts.js';
import type { SearchHit, SearchHits } from './search.dto.js';
import { type FoundSaga, type FoundSku, SearchRepository } from './search.repository.js';

const MAX_ORDERS = 10;
/** Ids of providers have a prefix: `ch_…`, `pi_…`. The provider is asked about nothing else. */
const TRANSACTION = /^[a-z]{2,12}_[\w-]+$/i;
const EMAIL = /^\S+@\S+\.\S+$/;

type Found = readonly { readonly orderId: string; readonly matchedBy: string }[];

/** One search box for everything that an operator may have at hand. */
@Injectable()
export class SearchService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: SearchRepository,
    private readonly orders: OrderSearchService,
    private readonly facts: OrderFactsRepository,
  ) {}

  async search(q: string): Promise<SearchHits> {
    const notes: string[] = [];
    const byId = isId(q) ? await this.byId(q) : []; // an Idempotency-Key may look like an id
    const searches = EMAIL.test(q)
      ? [this.ordersBy('e-mail', { email: q }, notes)]
      : [
          this.ordersBy('Idempotency-Key', { idempotencyKey: q }, notes),
          this.ordersBy('customer', { customerId: q }, notes),
          ...(TRANSACTION.test(q) ? [this.ordersBy('transaction', { transactionId: q }, notes)] : []),
        ];
    const [sku, ...found] = await Promise.all([this.repository.sku(this.transactions, q), ...searches]);
    const hits = await this.toOrderHits(found.flat());
    return { items: [...byId, ...(sku ? [toSkuHit(sku)] : []), ...hits], notes };
  }

  private async byId(id: string): Promise<SearchHit[]> {
    const found = await this.repository.byId(this.transactions, id);
    const sagas = await this.repository.sagas(
      this.transactions,
      found.filter(({ kind }) => kind === 'saga').map((saga) => saga.id),
    );
    const orders = found.filter(({ kind }) => kind === 'order');
    return [
      ...(await this.toOrderHits(orders.map(({ id: orderId, matchedBy }) => ({ orderId, matchedBy })))),
      ...sagas.map(toSagaHit),
    ];
  }

  /** A source that cannot be asked is reported, and must not prevent the others from being searched. */
  private async ordersBy(matchedBy: string, query: Partial<OrderListQuery>, notes: string[]): Promise<Found> {
    try {
      const ids = await this.orders.find({ limit: MAX_ORDERS, ...query });
      return ids.map((orderId) => ({ orderId, matchedBy }));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      notes.push(error.message);
      return [];
    }
  }

  private async toOrderHits(found: Found): Promise<SearchHit[]> {
    const facts = await this.facts.of(
      this.transactions,
      found.map(({ orderId }) => orderId),
    );
    return found.flatMap(({ orderId, matchedBy }) => {
      const order = facts.get(orderId);
      return order ? [toOrderHit(order, matchedBy)] : [];
    });
  }
}

function toOrderHit(order: OrderFacts, matchedBy: string): SearchHit {
  const goods = order.lines.map(({ sku, quantity }) => `${quantity} × ${sku}`).join(', ');
  const title = [goods, formatMoney(order.total, order.currency), order.customerEmail].filter(Boolean).join(' · ');
  return { kind: 'order', id: order.orderId, title, state: order.state, matchedBy, at: order.createdAt.toISOString() };
}

function toSagaHit({ id, name, subject, state, createdAt }: FoundSaga): SearchHit {
  const title = `${name} of ${subject}`;
  return { kind: 'saga', id, title, state, matchedBy: 'saga id', at: createdAt.toISOString() };
}

function toSkuHit({ sku, name, onHand, reserved }: FoundSku): SearchHit {
  const title = `${name}: ${onHand - reserved} available, ${reserved} held`;
  return { kind: 'sku', id: sku, title, state: null, matchedBy: 'SKU', at: null };
}
