import { Injectable } from '@nestjs/common';
import { DomainError } from '../common/domain-error.js';
import { AccessTokens } from '../platform/http/auth/access-tokens.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { Answer, IdempotentRequest } from '../platform/idempotency/idempotency.js';
import type { StoredResponse } from '../platform/idempotency/idempotency.repository.js';
import { CheckoutDraft } from './checkout-draft.service.js';
import { CheckoutIntake, Intake } from './checkout-intake.service.js';
import { CheckoutData, CheckoutOutcome, KeptHold, pricedOf } from './checkout-data.js';
import type { Preference } from '../platform/http/prefer.js';
import { CheckoutBody } from './checkout.dto.js';
import { CheckoutSaga } from './checkout.saga.js';
import { OrderSagaService } from '../orders/order-saga.service.js';
import type { SagaSnapshot } from '../saga/step-context.js';
import { OutdatedIntakeError } from './steps/create-order.step.js';
import { amountDue, sumOf, totalsOf } from '../common/totals.js';
import type { OrderView } from '../orders/order.dto.js';

@Injectable()
export class CheckoutService {
  constructor(
    private readonly intake: CheckoutIntake,
    private readonly drafts: CheckoutDraft,
    private readonly orderSagas: OrderSagaService,
    private readonly saga: CheckoutSaga,
    private readonly tokens: AccessTokens,
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
    intake: Intake,
  ): Promise<Answer> {
    let data: CheckoutData;
    try {
      data = await this.drafts.of(body, caller, intake);
    } catch (error) {
      if (intake.isCached) throw new OutdatedIntakeError();
      return this.orderSagas.refuse(error, request, prefer, this.toResponse);
    }
    return this.orderSagas.run(this.saga, data, request, prefer, this.toResponse);
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
      ...viewOfCheckout(data, ended, this.tokens.eventsUrl(data.orderId, Date.parse(data.createdAt))),
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

const PAYMENT_STATE = {
  captured: 'CAPTURED',
  authorized: 'AUTHORIZED',
  declined: 'DECLINED',
  requires_action: 'REQUIRES_ACTION',
  processing: 'PENDING',
} as const;

function paymentStateOf({ charge, isInDoubt }: CheckoutData) {
  if (isInDoubt) return 'IN_DOUBT';
  return charge ? PAYMENT_STATE[charge.kind] : 'PENDING';
}

/** An order as its own saga knows it: the answer to a checkout needs no second look at the database. */
export function viewOfCheckout(data: CheckoutData, outcome: CheckoutOutcome | null, eventsUrl: string): OrderView {
  const isConfirmed = outcome?.kind === 'confirmed';
  const { charge } = data;
  const nextAction = charge?.kind === 'requires_action' && !outcome ? charge.nextAction : undefined;
  return {
    id: data.orderId,
    state: isConfirmed ? 'CONFIRMED' : outcome ? 'REJECTED' : 'PENDING',
    currency: data.currency,
    total: data.total,
    totals: totalsOf(pricedOf(data)),
    amountDue: amountDue(data),
    lines: data.lines,
    customer: data.customer,
    payment: {
      id: data.paymentId,
      state: paymentStateOf(data),
      amount: amountDue(data),
      capturedAmount: charge?.kind === 'captured' ? amountDue(data) : 0,
      refundedAmount: 0,
      ...(charge?.kind === 'authorized' && charge.authorizedUntil && { authorizedUntil: charge.authorizedUntil }),
      method: data.method ?? null,
    },
    ...(data.credit && { credit: { amount: sumOf(data.credit), refundedAmount: 0 } }),
    reservation: data.expiresAt
      ? { id: data.reservationId, state: isConfirmed ? 'COMMITTED' : 'HELD', expiresAt: data.expiresAt }
      : null,
    sagaId: data.sagaId,
    ...(nextAction && { nextAction }),
    eventsUrl,
    metadata: data.metadata,
    createdAt: data.createdAt,
    updatedAt: outcome?.at ?? data.createdAt,
  };
}
