import { Injectable } from '@nestjs/common';
import { newId } from '../common/id.js';
import { DomainError } from '../common/domain-error.js';
import { AccessTokens } from '../infrastructure/http/auth/access-tokens.js';
import type { Caller } from '../infrastructure/http/auth/caller.js';
import { Answer, IdempotentRequest } from '../infrastructure/idempotency/idempotency.js';
import type { StoredResponse } from '../infrastructure/idempotency/idempotency.repository.js';
import { Basket, BasketService } from './basket.service.js';
import { CheckoutIntake } from './checkout-intake.service.js';
import { CheckoutData, CheckoutOutcome } from './checkout-data.js';
import { CheckoutBody, Preference } from './checkout.dto.js';
import { CheckoutSaga } from './checkout.saga.js';
import { DeclineLimiter } from './decline-limiter.service.js';
import { viewOfCheckout } from './order.dto.js';
import { OrderSagaService, SagaSnapshot } from './order-saga.service.js';

@Injectable()
export class CheckoutService {
  constructor(
    private readonly intake: CheckoutIntake,
    private readonly orderSagas: OrderSagaService,
    private readonly saga: CheckoutSaga,
    private readonly baskets: BasketService,
    private readonly declines: DeclineLimiter,
    private readonly tokens: AccessTokens,
  ) {}

  async checkOut(body: CheckoutBody, caller: Caller, request: IdempotentRequest, prefer: Preference): Promise<Answer> {
    const tell = (saga: SagaSnapshot<CheckoutData>) => this.tell(saga);
    const { earlier, catalogue } = await this.intake.look(request, body);
    if (earlier) return this.orderSagas.reattach(request, earlier, prefer, tell);
    const noteDecline = this.declines.admit(caller, body.customer);
    let basket: Basket;
    try {
      basket = await this.baskets.fill(body, caller, catalogue);
    } catch (error) {
      return this.orderSagas.refuse(error, request, prefer, tell);
    }
    const data = this.dataOf(body, basket, caller, request, prefer);
    const saga = { id: data.sagaId, subject: data.orderId, data };
    return this.orderSagas.run(this.saga, saga, request, prefer, tell, ({ failure }) => {
      if (failure?.code === 'PAYMENT_DECLINED') noteDecline();
    });
  }

  private dataOf(
    body: CheckoutBody,
    basket: Basket,
    caller: Caller,
    request: IdempotentRequest,
    prefer: Preference,
  ): CheckoutData {
    // Whoever proves to be a customer buys as that customer, whatever the body says. Without a JWT the holder of the
    // key vouches for the name, and who later proves to be that customer may read the order.
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
