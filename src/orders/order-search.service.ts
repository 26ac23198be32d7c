import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { z } from 'zod';
import { GatewayRequestError, PAYMENT_GATEWAY, type PaymentGateway } from '../payment/gateway/payment-gateway.js';
import type { Walked } from '../platform/postgres/window-walk.js';
import { OrderQueryService } from './order-query.service.js';
import { OrderSearchRepository } from './order-search.repository.js';
import type { OrderListQuery, OrderView } from './order.dto.js';
import type { OrderRow } from './order.repository.js';

export interface OrderPage {
  readonly items: readonly OrderView[];
  readonly nextCursor: string | null;
}

const EMPTY: Walked<OrderRow> = { rows: [], nextCursor: null };

/** Whose orders, and which of them. */
@Injectable()
export class OrderSearchService {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly search: OrderSearchRepository,
    private readonly orders: OrderQueryService,
  ) {}

  async list(query: OrderListQuery, caller: Caller): Promise<OrderPage> {
    const { rows, nextCursor } = await this.page({ ...query, customerId: customerOf(query, caller) });
    return { items: await this.orders.views(rows), nextCursor };
  }

  /** The ids of the newest, for an operator. */
  async find(query: OrderListQuery): Promise<string[]> {
    return (await this.page(query)).rows.map(({ id }) => id);
  }

  private async page({ transactionId, cursor: before, ...criteria }: OrderListQuery): Promise<Walked<OrderRow>> {
    const id = transactionId === undefined ? undefined : await this.orderOf(transactionId);
    return id === null ? EMPTY : this.search.page({ ...criteria, id, before });
  }

  /**
   * The provider says whose charge it is. An index of our own would make every update of a payment, which learns the id of
   * its charge after it was stored, leave its page (ADR 14).
   */
  private async orderOf(transactionId: string): Promise<string | null> {
    const signal = AbortSignal.timeout(this.config.payment.timeoutMs);
    try {
      const charge = await this.gateway.retrieveCharge(transactionId, signal);
      // Others may charge through the same account.
      return z.uuid().safeParse(charge?.orderId).data ?? null;
    } catch (error) {
      if (error instanceof GatewayRequestError) return null;
      throw new DomainError('DEPENDENCY_UNAVAILABLE', 'The payment provider cannot be asked', {}, { cause: error });
    }
  }
}

/** A customer's own JWT narrows the list to that customer, whoever carries it; without one it is the shop's. */
function customerOf({ customerId, email, idempotencyKey, transactionId }: OrderListQuery, caller: Caller) {
  if (caller.scope === 'admin' && caller.customerId === undefined) return customerId;
  if (caller.customerId === undefined)
    throw new DomainError('FORBIDDEN', 'This call needs an admin key or the JWT of a customer');
  const isOwn = customerId === undefined || customerId === caller.customerId;
  const isPlain = [email, idempotencyKey, transactionId].every((value) => value === undefined);
  if (caller.scope !== 'admin' && !isPlain)
    throw new DomainError('FORBIDDEN', 'email, idempotencyKey and transactionId are for admin keys');
  if (!isOwn) throw new DomainError('FORBIDDEN', 'The JWT is another customer’s');
  return caller.customerId;
}
