import { Injectable } from '@nestjs/common';
import { addUp } from '../balance/allocation.js';
import { Batcher } from '../common/batcher.js';
import { DomainError } from '../common/domain-error.js';
import { CreditRepository } from '../credit/credit.repository.js';
import { isUnavailable } from '../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import type { Queryable } from '../platform/postgres/tx.js';
import { traceIdOf } from '../platform/tracing/traced-requests.js';
import { AccessTokens } from '../platform/http/auth/access-tokens.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { effectiveState } from '../inventory/reservation/reservation.js';
import { OrderRepository, OrderRow } from './order.repository.js';
import { TimelineRepository } from './timeline.repository.js';
import { PaymentRepository } from '../payment/payment.repository.js';
import { traceOf } from '../saga/saga-trace.js';
import { isNote } from '../saga/saga-log.js';
import { isCompensating } from '../saga/saga-state.js';
import { SagaRepository, SagaRow } from '../saga/saga.repository.js';
import { newHoldOf, OrderView, viewOfOrder } from './order.dto.js';

export interface TimelineItem {
  readonly at: string;
  readonly kind: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly traceId?: string;
}

/** Customers who look at their orders at the same moment share a round trip. */
const BATCHING = { maxBatch: 128, maxInFlight: 2, isShared: isUnavailable };

interface FoundOrder {
  readonly order: OrderRow;
  readonly view: OrderView;
}

@Injectable()
export class OrderQueryService {
  private readonly reads = new Batcher((ids: readonly string[]) => this.readAll(ids), BATCHING);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly orders: OrderRepository,
    private readonly payments: PaymentRepository,
    private readonly credit: CreditRepository,
    private readonly timeline: TimelineRepository,
    private readonly sagas: SagaRepository,
    private readonly tokens: AccessTokens,
  ) {}

  async get(id: string, caller: Caller): Promise<OrderView> {
    const found = await this.reads.run(id);
    if (!found || !this.canRead(caller, found.order)) throw notFound();
    return this.withHoldToken(found.order, found.view);
  }

  /** Orders as they are now, for those who have proven already that they may see them. */
  async current(ids: readonly string[]): Promise<OrderView[]> {
    const found = await this.readAll([...new Set(ids)]);
    return found.flatMap((one) => (one ? [one.view] : []));
  }

  /** What a customer reads again later: the token of a hold that the refused checkout left. Never part of a stream. */
  private withHoldToken(order: OrderRow, view: OrderView): OrderView {
    const hold = newHoldOf(order);
    if (!hold || !view.rejection) return view;
    const reservation = { ...hold, accessToken: this.tokens.issue('reservation', hold.id) };
    return { ...view, rejection: { ...view.rejection, reservation } };
  }

  /** Everything that happened to the order, from the logs of its sagas and from what others noted about it. */
  async history(id: string, caller: Caller): Promise<{ items: TimelineItem[] }> {
    const order = await this.find(id, caller);
    const [notes, sagas] = await Promise.all([
      this.timeline.ofOrder(this.transactions, id),
      this.sagas.bySubject(this.transactions, order.id),
    ]);
    const items = [
      ...notes.map(({ at, kind, detail }) => ({ at: at.toISOString(), kind, detail })),
      ...sagas.flatMap((saga) => linesOf(saga, caller.scope === 'admin')),
    ];
    return { items: items.sort((a, b) => a.at.localeCompare(b.at)) };
  }

  /** 404 also where the caller may not know that the order exists. */
  async find(id: string, caller: Caller): Promise<OrderRow> {
    const [order] = await this.orders.find(this.transactions, [id]);
    if (!order || !this.canRead(caller, order)) throw notFound();
    return order;
  }

  private canRead(caller: Caller, { id, customerId }: OrderRow): boolean {
    return this.tokens.canRead(caller, 'order', id, customerId);
  }

  /** Of orders that were read before. */
  async views(orders: readonly OrderRow[]): Promise<OrderView[]> {
    const ids = orders.map(({ id }) => id);
    const found = await this.transactions.read((db) => this.look(db, ids, Promise.resolve(orders)));
    return found.map(({ view }) => view);
  }

  private async readAll(ids: readonly string[]): Promise<(FoundOrder | undefined)[]> {
    const found = await this.transactions.read((db) => this.look(db, ids, this.orders.find(db, ids)));
    const byId = new Map(found.map((one) => [one.order.id, one]));
    return ids.map((id) => byId.get(id));
  }

  private async look(
    db: Queryable,
    ids: readonly string[],
    reading: Promise<readonly OrderRow[]>,
  ): Promise<FoundOrder[]> {
    const [orders, payments, holds] = await Promise.all([
      reading,
      this.payments.ofOrders(db, ids),
      this.orders.holdsOf(db, ids),
    ]);
    const paidByCredit = orders.filter(({ credit }) => credit !== null).map(({ id }) => id);
    const taken = paidByCredit.length > 0 ? await this.credit.taken(db, paidByCredit) : [];
    const creditRefunded = addUp(taken.map(({ orderId, refundedAmount }) => [orderId, refundedAmount]));
    return orders.map((order) => {
      const hold = holds.get(order.id);
      const view = viewOfOrder(
        order,
        payments.get(order.id),
        hold && { ...hold, state: effectiveState(hold) },
        creditRefunded.get(order.id) ?? 0,
        this.tokens.eventsUrl(order.id),
      );
      return { order, view };
    });
  }
}

/** What a step failed with may name hosts and tables, and who acted is a name of our own: both are for operators. */
function linesOf(saga: SagaRow, isOperator: boolean): TimelineItem[] {
  const trace = traceIdOf(traceOf(saga.log));
  return saga.log.map((entry) => {
    const at = new Date(entry.at).toISOString();
    if (isNote(entry)) {
      const { actor, ...detail } = entry.detail ?? {};
      return {
        at,
        kind: entry.kind,
        detail: isOperator && actor !== undefined ? { ...detail, actor } : detail,
        ...trace,
      };
    }
    const { step, phase = 'execute', result = 'done', error, attempt, ms, lockWaitMs } = entry;
    const kind = `saga.${isCompensating(phase) ? 'compensation' : 'step'}.${result}`;
    const known = { attempt, ms, lockWaitMs, error: isOperator ? error : undefined };
    return { at, kind, detail: { saga: saga.name, step, ...known }, ...trace };
  });
}

function notFound(): DomainError {
  return new DomainError('ORDER_NOT_FOUND', 'The order does not exist');
}
