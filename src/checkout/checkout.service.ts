import { Injectable } from '@nestjs/common';
import { newId } from '../common/id.js';
import { DomainError } from '../common/domain-error.js';
import { AccessTokens } from '../platform/http/auth/access-tokens.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { Answer, IdempotentRequest } from '../platform/idempotency/idempotency.js';
import type { StoredResponse } from '../platform/idempotency/idempotency.repository.js';
import { HoldPolicies, type HoldTicket } from '../inventory/reservation/hold-policy.js';
import type { Sku } from '../inventory/sku/sku.js';
import { Basket, BasketService } from './basket.service.js';
import { CheckoutTerms } from './checkout-terms.js';
import { CheckoutIntake, Intake } from './checkout-intake.service.js';
import { CheckoutData, CheckoutOutcome, CheckoutSource, KeptHold } from './checkout-data.js';
import type { Preference } from '../platform/http/prefer.js';
import { CheckoutBody } from './checkout.dto.js';
import { CheckoutSaga } from './checkout.saga.js';
import { DeclineLimiter } from './decline-limiter.service.js';
import { viewOfCheckout } from './checkout-view.js';
import { OrderLinks } from '../orders/order-links.js';
import { OrderSagaService } from '../orders/order-saga.service.js';
import type { SagaSnapshot } from '../saga/step-context.js';
import { OutdatedIntakeError } from './steps/create-order.step.js';

@Injectable()
export class CheckoutService {
  constructor(
    private readonly intake: CheckoutIntake,
    private readonly orderSagas: OrderSagaService,
    private readonly saga: CheckoutSaga,
    private readonly terms: CheckoutTerms,
    private readonly baskets: BasketService,
    private readonly declines: DeclineLimiter,
    private readonly tokens: AccessTokens,
    private readonly links: OrderLinks,
    private readonly policies: HoldPolicies,
  ) {}

  async checkOut(body: CheckoutBody, caller: Caller, request: IdempotentRequest, prefer: Preference): Promise<Answer> {
    const cached = this.intake.fromCache(request, body);
    try {
      if (cached) return await this.begin(body, caller, request, prefer, cached);
    } catch (error) {
      if (!(error instanceof OutdatedIntakeError)) throw error;
    }
    const intake = await this.intake.lookUp(request, body);
    if (intake.earlier) return this.orderSagas.reattach(request, intake.earlier, prefer, this.toResponse);
    return this.begin(body, caller, request, prefer, intake);
  }

  /** What is cached is good enough to begin with, not to refuse anybody. */
  private async begin(
    body: CheckoutBody,
    caller: Caller,
    request: IdempotentRequest,
    prefer: Preference,
    { catalogue, isCached }: Intake,
  ): Promise<Answer> {
    let basket: Basket;
    let source: CheckoutSource | undefined;
    let tickets: readonly HoldTicket[];
    try {
      this.terms.assertAllowed(body, caller);
      source = await this.declines.admit(caller, body);
      basket = await this.baskets.fill(body, caller, catalogue);
      tickets = await this.ticketsOf(body, basket, caller);
    } catch (error) {
      if (isCached) throw new OutdatedIntakeError();
      return this.orderSagas.refuse(error, request, prefer, this.toResponse);
    }
    const versions = isCached ? versionsOf(basket, catalogue) : undefined;
    const data = dataOf(body, basket, caller, { versions, source, ...(tickets.length > 0 && { tickets }) });
    return this.orderSagas.run(this.saga, data, request, prefer, this.toResponse);
  }

  /** A hold that was made before has used its tickets up. */
  private ticketsOf(
    { customer }: CheckoutBody,
    { isAdopted, lines }: Basket,
    caller: Caller,
  ): readonly HoldTicket[] | Promise<readonly HoldTicket[]> {
    const skus = isAdopted ? [] : lines.map(({ sku }) => sku);
    return this.policies.admit({ caller, customer }, skus);
  }

  /** 201 confirmed, 202 under way, or the problem it was refused with: the same from memory and from a stored saga. */
  private readonly toResponse = ({ data, outcome }: SagaSnapshot<CheckoutData>): StoredResponse => {
    const ended = outcome as CheckoutOutcome | null;
    if (ended?.kind === 'rejected') {
      const { code, detail, details } = ended.failure;
      throw new DomainError(code, detail, {
        orderId: data.orderId,
        accessToken: this.tokens.issue('order', data.orderId),
        ...details,
        ...(data.keptHold && { reservation: this.withToken(data, data.keptHold) }),
      });
    }
    const body = {
      ...viewOfCheckout(data, ended, this.links.eventsUrl(data.orderId, Date.parse(data.createdAt))),
      accessToken: this.tokens.issue('order', data.orderId),
    };
    const location = `/v1/orders/${data.orderId}`;
    if (ended) return { status: 201, headers: { location }, body };
    return { status: 202, headers: { location, 'retry-after': '1' }, body };
  };

  /** Who made the hold before has its token; one that the checkout made is not known to anybody yet. */
  private withToken({ isAdopted }: CheckoutData, hold: KeptHold) {
    return isAdopted ? hold : { ...hold, accessToken: this.tokens.issue('reservation', hold.id) };
  }
}

function versionsOf({ lines }: Basket, catalogue: ReadonlyMap<string, Sku>): Record<string, number> {
  return Object.fromEntries(lines.map(({ sku }) => [sku, catalogue.get(sku)?.version ?? 0]));
}

function dataOf(
  body: CheckoutBody,
  basket: Basket,
  caller: Caller,
  attempt: Pick<CheckoutData, 'versions' | 'source' | 'tickets'>,
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
    ...(body.holdOnDecline === true && { holdOnDecline: true }),
    ...(body.returnUrl !== undefined && { returnUrl: body.returnUrl }),
    ...attempt,
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
