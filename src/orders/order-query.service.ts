import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/domain-error.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { AccessTokens } from '../platform/http/auth/access-tokens.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { effectiveState } from '../inventory/reservation/reservation.js';
import { ReservationLifecycleRepository } from '../inventory/reservation/reservation-lifecycle.repository.js';
import { OrderRepository, OrderRow } from './order.repository.js';
import { TimelineRepository } from './timeline.repository.js';
import { PaymentRepository } from '../payment/payment.repository.js';
import { isNote } from '../saga/saga-log.js';
import { isCompensating } from '../saga/saga-state.js';
import { SagaRepository, SagaRow } from '../saga/saga.repository.js';
import { newHoldOf, OrderView, viewOfOrder } from './order.dto.js';
import { OrderLinks } from './order-links.js';

export interface TimelineItem {
  readonly at: string;
  readonly kind: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

@Injectable()
export class OrderQueryService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly orders: OrderRepository,
    private readonly payments: PaymentRepository,
    private readonly reservations: ReservationLifecycleRepository,
    private readonly timeline: TimelineRepository,
    private readonly sagas: SagaRepository,
    private readonly tokens: AccessTokens,
    private readonly links: OrderLinks,
  ) {}

  async get(id: string, caller: Caller): Promise<OrderView> {
    const order = await this.find(id, caller);
    const [view] = await this.views([order]);
    if (!view) throw notFound();
    return this.withHoldToken(order, view);
  }

  /** Orders as they are now, for those who have proven already that they may see them. */
  async current(ids: readonly string[]): Promise<OrderView[]> {
    return this.views(await this.orders.find(this.transactions, ids));
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
    if (!order || !this.tokens.canRead(caller, 'order', id, order.customerId)) throw notFound();
    return order;
  }

  async views(orders: readonly OrderRow[]): Promise<OrderView[]> {
    const [payments, reservations] = await Promise.all([
      this.payments.ofOrders(
        this.transactions,
        orders.map((order) => order.id),
      ),
      this.reservations.summaries(
        this.transactions,
        orders.map((order) => order.reservationId),
      ),
    ]);
    return orders.map((order) => {
      const reservation = reservations.get(order.reservationId);
      return viewOfOrder(
        order,
        payments.get(order.id),
        reservation && { ...reservation, state: effectiveState(reservation) },
        this.links.eventsUrl(order.id),
      );
    });
  }
}

/** What a step failed with may name hosts and tables, and who acted is a name of our own: both are for operators. */
function linesOf(saga: SagaRow, isOperator: boolean): TimelineItem[] {
  return saga.log.map((entry) => {
    const at = new Date(entry.at).toISOString();
    if (isNote(entry)) {
      const { actor, ...detail } = entry.detail ?? {};
      return { at, kind: entry.kind, detail: isOperator && actor !== undefined ? { ...detail, actor } : detail };
    }
    const { step, phase = 'execute', result = 'done', error, attempt, ms, lockWaitMs } = entry;
    const kind = `saga.${isCompensating(phase) ? 'compensation' : 'step'}.${result}`;
    const known = { attempt, ms, lockWaitMs, error: isOperator ? error : undefined };
    return { at, kind, detail: { saga: saga.name, step, ...known } };
  });
}

function notFound(): DomainError {
  return new DomainError('ORDER_NOT_FOUND', 'The order does not exist');
}
