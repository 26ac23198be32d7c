import { Inject, Injectable } from '@nestjs/common';
import { newId } from '../common/id.js';
import { DomainError } from '../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import type { Operator } from '../platform/audit-trail/operator.js';
import type { Caller } from '../platform/http/auth/caller.js';
import { Answer, IdempotentRequest } from '../platform/idempotency/idempotency.js';
import type { StoredResponse } from '../platform/idempotency/idempotency.repository.js';
import { CancelOrderSaga } from './cancel/cancel-order.saga.js';
import { cannotCancel, PendingCancellation } from './cancel/pending-cancellation.service.js';
import type { Preference } from '../platform/http/prefer.js';
import { OrderQueryService } from './order-query.service.js';
import { OrderSagaService, type ToResponse } from './order-saga.service.js';
import type { OrderRow } from './order.repository.js';
import type { SagaSnapshot } from '../saga/step-context.js';
import type { RefundBody } from './refund/refund.dto.js';
import { RefundOrderSaga } from './refund/refund-order.saga.js';
import { CaptureOrderSaga } from './capture/capture-order.saga.js';
import type { CaptureOutcome } from './capture/capture-payment.step.js';
import type { CaptureBody } from './capture/capture.dto.js';
import type { CaptureData } from './capture/request-capture.step.js';
import { CancellationData } from './cancel/begin-cancellation.step.js';
import { RefundRequestData } from './refund/request-refund.step.js';

/** Who asks for a cancellation, and how they are answered. */
interface Asked {
  readonly caller: Caller;
  /** Unless a customer asks. */
  readonly operator: Operator | undefined;
  readonly request: IdempotentRequest;
  readonly prefer: Preference;
  readonly toResponse: ToResponse<unknown>;
}

/** What is done to an order: each a saga of its own, or a turn of the one that it has. */
@Injectable()
export class OrderCommandService {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly orderSagas: OrderSagaService,
    private readonly orders: OrderQueryService,
    private readonly pending: PendingCancellation,
    private readonly cancelSaga: CancelOrderSaga,
    private readonly refundSaga: RefundOrderSaga,
    private readonly captureSaga: CaptureOrderSaga,
  ) {}

  async cancel(
    orderId: string,
    caller: Caller,
    request: IdempotentRequest,
    prefer: Preference,
    why: Omit<Operator, 'actor'>,
  ): Promise<Answer> {
    const toResponse: ToResponse<unknown> = (saga) => cancellationResponse(saga, orderId);
    const operator = caller.scope === 'admin' ? { actor: caller.client, ...why } : undefined;
    const asked: Asked = { caller, operator, request, prefer, toResponse };
    const earlier = await this.orderSagas.findAnswer(request, prefer, toResponse);
    if (earlier) return this.withOrder(earlier, orderId, caller);
    const order = await this.orders.find(orderId, caller);
    const answer = await (order.state === 'PENDING'
      ? this.cancelPending(order, asked)
      : this.cancelConfirmed(order, asked));
    return this.withOrder(answer, orderId, caller);
  }

  /** Its own saga turns back. If that was quicker and the order stands by now, it is cancelled like any other that stands. */
  private async cancelPending(order: OrderRow, asked: Asked): Promise<Answer> {
    const { caller, operator, request, prefer, toResponse } = asked;
    const key = this.orderSagas.claimOf(request, prefer);
    const turnBack = () => this.pending.turnBack(order, caller, key, operator);
    try {
      return await this.orderSagas.join(order.sagaId, turnBack, request, prefer, toResponse);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'INVALID_STATE') throw error;
      const now = await this.orders.find(order.id, caller);
      return now.state === 'PENDING' ? this.refuse(now, asked) : this.cancelConfirmed(now, asked);
    }
  }

  private async cancelConfirmed(order: OrderRow, asked: Asked): Promise<Answer> {
    const { caller, operator, request, prefer, toResponse } = asked;
    const { customerCancelSeconds } = this.config.orders;
    const isCustomers = operator === undefined;
    if (order.state !== 'CONFIRMED' || (isCustomers && customerCancelSeconds === 0)) return this.refuse(order, asked);
    const data: CancellationData = {
      sagaId: newId(),
      refundId: newId(),
      orderId: order.id,
      actor: caller.client,
      ...(operator ? { operator } : { withinSeconds: customerCancelSeconds }),
      lines: order.lines,
    };
    return this.orderSagas.run(this.cancelSaga, data, request, prefer, toResponse);
  }

  /** Only before there is a saga: a saga of ours that was refused is the first answer under the key, not a replay of it. */
  private refuse(order: OrderRow, { request, prefer, toResponse }: Asked): Promise<Answer> {
    return this.orderSagas.refuse(cannotCancel(order), request, prefer, toResponse);
  }

  async refund(
    orderId: string,
    body: RefundBody,
    caller: Caller,
    request: IdempotentRequest,
    prefer: Preference,
    runId?: string,
  ): Promise<Answer> {
    const toResponse: ToResponse<RefundRequestData> = (saga) => responseOf(saga, orderId, 201, refundView(saga));
    const earlier = await this.orderSagas.findAnswer(request, prefer, toResponse);
    if (earlier) return earlier;
    const { customerId, currency, credit } = await this.orders.find(orderId, caller);
    const data: RefundRequestData = {
      sagaId: newId(),
      refundId: newId(),
      orderId,
      amount: body.amount ?? null,
      reason: body.reason,
      operator: { actor: caller.client, reason: body.reason, ...(runId !== undefined && { runId }) },
      createdAt: new Date().toISOString(),
      ...((credit ?? body.to) && { credit: { customerId, currency, ...(body.to && { to: body.to }) } }),
    };
    return this.orderSagas.run(this.refundSaga, data, request, prefer, toResponse);
  }

  async capture(
    orderId: string,
    { amount, reason }: CaptureBody,
    caller: Caller,
    request: IdempotentRequest,
    prefer: Preference,
  ): Promise<Answer> {
    const toResponse: ToResponse<CaptureData> = (saga) => captureResponse(saga, orderId);
    const earlier = await this.orderSagas.findAnswer(request, prefer, toResponse);
    if (earlier) return this.withOrder(earlier, orderId, caller);
    await this.orders.find(orderId, caller);
    const operator = { actor: caller.client, reason };
    const data: CaptureData = { sagaId: newId(), orderId, amount: amount ?? null, operator };
    const answer = await this.orderSagas.run(this.captureSaga, data, request, prefer, toResponse);
    return this.withOrder(answer, orderId, caller);
  }

  /** With the order as it is now: what was cancelled or captured stays so. */
  private async withOrder(answer: Answer, orderId: string, caller: Caller): Promise<Answer> {
    return { ...answer, body: await this.orders.get(orderId, caller) };
  }
}

/** A cancellation that was compensated has failed. A checkout that was has an outcome: it was given up, as it was asked for. */
function cancellationResponse(saga: SagaSnapshot<unknown>, orderId: string): StoredResponse {
  if (saga.state === 'COMPENSATED' && saga.outcome !== null) return { status: 200, body: { orderId } };
  return responseOf(saga, orderId, 200, { orderId });
}

/** What was granted and came to nothing is refused with the state that was found. */
function captureResponse(saga: SagaSnapshot<CaptureData>, orderId: string): StoredResponse {
  const outcome = saga.outcome as CaptureOutcome | null;
  if (outcome?.kind === 'refused') {
    const { state } = outcome;
    const detail =
      state === 'EXPIRED'
        ? 'The authorisation has ended at the provider: nothing was captured'
        : 'Another amount had been captured at the provider';
    throw new DomainError('INVALID_STATE', detail, { orderId, state });
  }
  return responseOf(saga, orderId, 200, { orderId });
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
    amount: data.credited === undefined ? (data.refund?.amount ?? data.amount) : data.credited + (data.cardAmount ?? 0),
    ...(data.credited !== undefined && { credited: data.credited }),
    currency: data.refund?.currency ?? data.credit?.currency,
    reason: data.reason,
    createdAt: data.createdAt,
  };
}
