import { Injectable } from '@nestjs/common';
import { newId } from '../common/id.js';
import { DomainError } from '../common/domain-error.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { Answer, IdempotentRequest } from '../platform/idempotency/idempotency.js';
import type { StoredResponse } from '../platform/idempotency/idempotency.repository.js';
import { CancelOrderSaga } from './cancel/cancel-order.saga.js';
import type { Preference } from '../platform/http/prefer.js';
import { OrderQueryService } from './order-query.service.js';
import { OrderSagaService, type ToResponse } from './order-saga.service.js';
import type { SagaSnapshot } from '../saga/step-context.js';
import type { RefundBody } from './refund/refund.dto.js';
import { RefundOrderSaga } from './refund/refund-order.saga.js';
import { CancellationData } from './cancel/begin-cancellation.step.js';
import { RefundRequestData } from './refund/request-refund.step.js';

/** What an operator does to an order: each a saga of its own. */
@Injectable()
export class OrderCommandService {
  constructor(
    private readonly orderSagas: OrderSagaService,
    private readonly orders: OrderQueryService,
    private readonly cancelSaga: CancelOrderSaga,
    private readonly refundSaga: RefundOrderSaga,
  ) {}

  async cancel(orderId: string, caller: Caller, request: IdempotentRequest, prefer: Preference): Promise<Answer> {
    const toResponse: ToResponse<CancellationData> = (saga) => responseOf(saga, orderId, 200, { orderId });
    const earlier = await this.orderSagas.findAnswer(request, prefer, toResponse);
    if (earlier) return this.withOrder(earlier, orderId, caller);
    const order = await this.orders.find(orderId, caller);
    const data: CancellationData = {
      sagaId: newId(),
      refundId: newId(),
      orderId,
      actor: caller.client,
      lines: order.lines,
    };
    const answer = await this.orderSagas.run(this.cancelSaga, data, request, prefer, toResponse);
    return this.withOrder(answer, orderId, caller);
  }

  async refund(
    orderId: string,
    body: RefundBody,
    caller: Caller,
    request: IdempotentRequest,
    prefer: Preference,
  ): Promise<Answer> {
    const toResponse: ToResponse<RefundRequestData> = (saga) => responseOf(saga, orderId, 201, refundView(saga));
    const earlier = await this.orderSagas.findAnswer(request, prefer, toResponse);
    if (earlier) return earlier;
    await this.orders.find(orderId, caller);
    const data: RefundRequestData = {
      sagaId: newId(),
      refundId: newId(),
      orderId,
      amount: body.amount ?? null,
      reason: body.reason,
      createdAt: new Date().toISOString(),
    };
    return this.orderSagas.run(this.refundSaga, data, request, prefer, toResponse);
  }

  /** CANCELLED is terminal, so the order as it is now is also the order as it was answered. */
  private async withOrder(answer: Answer, orderId: string, caller: Caller): Promise<Answer> {
    return { ...answer, body: await this.orders.get(orderId, caller) };
  }
}

function responseOf<D>(saga: SagaSnapshot<D>, orderId: string, done: number, body: unknown): StoredResponse {
  if (saga.state === 'COMPENSATED') {
    const { code, detail, details } = saga.failure ?? { code: 'INTERNAL_ERROR' as const, detail: 'The request failed' };
    throw new DomainError(code, detail, { orderId, ...details });
  }
  if (saga.state === 'COMPLETED') return { status: done, body };
  return { status: 202, headers: { location: `/v1/orders/${orderId}`, 'retry-after': '2' }, body };
}

function refundView({ state, data }: SagaSnapshot<RefundRequestData>) {
  return {
    id: data.refundId,
    orderId: data.orderId,
    state: state === 'COMPLETED' ? 'SETTLED' : 'PENDING',
    amount: data.refund?.amount ?? data.amount,
    currency: data.refund?.currency,
    reason: data.reason,
    createdAt: data.createdAt,
  };
}
