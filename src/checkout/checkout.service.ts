import { Injectable } from '@nestjs/common';
import { newId } from '../common/id.js';
import { DomainError } from '../common/domain-error.js';
import { TransactionRunner } from '../infrastructure/database/transaction-runner.js';
import { AccessTokens } from '../infrastructure/http/auth/access-tokens.js';
import type { Caller } from '../infrastructure/http/auth/caller.js';
import { Answer, IdempotentRequest } from '../infrastructure/idempotency/idempotency.js';
import type { StoredResponse } from '../infrastructure/idempotency/idempotency.repository.js';
import { IdempotencyService } from '../infrastructure/idempotency/idempotency.service.js';
import { effectiveState } from '../inventory/reservation.js';
import { ReservationLifecycleRepository } from '../inventory/reservation-lifecycle.repository.js';
import { QuoteService } from '../inventory/quote.service.js';
import type { OrderLine } from '../order/order.entity.js';
import { CheckoutData, CheckoutOutcome } from './checkout-data.js';
import { CheckoutBody, Preference } from './checkout.dto.js';
import { CheckoutSaga } from './checkout.saga.js';
import { viewOfCheckout } from './order.dto.js';
import { OrderSagaService, SagaSnapshot } from './order-saga.service.js';
import { refusalOf } from './steps/reserve-inventory.step.js';

interface Basket {
  readonly lines: readonly OrderLine[];
  readonly total: number;
  readonly reservationId: string;
  readonly isAdopted: boolean;
}

@Injectable()
export class CheckoutService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly orderSagas: OrderSagaService,
    private readonly idempotency: IdempotencyService,
    private readonly saga: CheckoutSaga,
    private readonly quotes: QuoteService,
    private readonly reservations: ReservationLifecycleRepository,
    private readonly tokens: AccessTokens,
  ) {}

  async checkOut(body: CheckoutBody, caller: Caller, request: IdempotentRequest, prefer: Preference): Promise<Answer> {
    const tell = (saga: SagaSnapshot<CheckoutData>) => this.tell(saga);
    // Priced while the key is looked up; what the pricing refuses only counts if the key is new.
    const [earlier, basket] = await Promise.all([
      this.orderSagas.findAnswer(request, prefer, tell),
      this.fill(body, caller).catch((error: unknown) => error as Error),
    ]);
    if (earlier) return earlier;
    if (basket instanceof Error) {
      await this.idempotency.rememberRefusal(request, basket);
      throw basket;
    }
    const data = this.dataOf(body, basket, caller, request, prefer);
    return this.orderSagas.run(this.saga, { id: data.sagaId, subject: data.orderId, data }, request, prefer, tell);
  }

  private dataOf(
    body: CheckoutBody,
    basket: Basket,
    caller: Caller,
    request: IdempotentRequest,
    prefer: Preference,
  ): CheckoutData {
    const customerId = caller.customerId ?? body.customer.id;
    return {
      sagaId: newId(),
      orderId: newId(),
      paymentId: newId(),
      reservationId: basket.reservationId,
      isAdopted: basket.isAdopted,
      key: this.orderSagas.claimOf(request, prefer),
      customer: {
        ...(customerId !== undefined && { id: customerId }),
        ...(body.customer.email !== undefined && { email: body.customer.email }),
      },
      currency: body.currency,
      lines: basket.lines,
      total: basket.total,
      method: body.payment.method,
      metadata: body.metadata,
      createdAt: new Date().toISOString(),
    };
  }

  /** Prices, from the catalogue or frozen by the hold. A refusal here leaves no order, and is remembered for the key. */
  private async fill(body: CheckoutBody, caller: Caller): Promise<Basket> {
    const basket = body.reservationId
      ? await this.heldBasket(body.reservationId, body.currency, caller)
      : await this.quotedBasket(body);
    if (body.expectedTotal !== undefined && body.expectedTotal !== basket.total) {
      const quote = { lines: basket.lines, total: basket.total, currency: body.currency };
      throw new DomainError('PRICE_CHANGED', `The total is ${basket.total}, not ${body.expectedTotal}`, { quote });
    }
    return basket;
  }

  private async quotedBasket(body: CheckoutBody): Promise<Basket> {
    const priced = await this.quotes.price(body.currency, body.lines ?? []);
    const lines = priced.map(({ sku, name, quantity, unitAmount, amount }) => ({
      sku,
      name,
      quantity,
      unitAmount,
      amount,
    }));
    return {
      lines,
      total: lines.reduce((sum, line) => sum + line.amount, 0),
      reservationId: newId(),
      isAdopted: false,
    };
  }

  private async heldBasket(id: string, currency: string, caller: Caller): Promise<Basket> {
    const held = await this.reservations.find(this.transactions, id);
    if (!held || !this.tokens.canRead(caller, 'reservation', id)) {
      throw new DomainError('RESERVATION_NOT_FOUND', 'The reservation does not exist');
    }
    const state = effectiveState(held);
    if (state !== 'HELD') {
      const { code, detail } = refusalOf({ kind: 'ended', state });
      throw new DomainError(code, detail);
    }
    if (held.currency !== currency) {
      const errors = [{ path: 'currency', message: `the reservation is in ${held.currency}` }];
      throw new DomainError('VALIDATION_FAILED', errors[0]?.message ?? '', { errors });
    }
    const lines = held.lines.map(({ sku, name, quantity, unitAmount }) => ({
      sku,
      name,
      quantity,
      unitAmount,
      amount: quantity * unitAmount,
    }));
    return { lines, total: held.total, reservationId: id, isAdopted: true };
  }

  /** 201 confirmed, 202 under way, or the problem it was refused with: the same from memory and from a stored saga. */
  private tell({ data, outcome }: SagaSnapshot<CheckoutData>): StoredResponse {
    const ended = outcome as CheckoutOutcome | null;
    if (ended?.kind === 'rejected') {
      const { code, detail, details } = ended.failure;
      throw new DomainError(code, detail, {
        orderId: data.orderId,
        accessToken: this.tokens.issue('order', data.orderId),
        ...details,
      });
    }
    const body = { ...viewOfCheckout(data, ended), accessToken: this.tokens.issue('order', data.orderId) };
    const location = `/v1/orders/${data.orderId}`;
    if (ended) return { status: 201, headers: { location }, body };
    return { status: 202, headers: { location, 'retry-after': '1' }, body };
  }
}
