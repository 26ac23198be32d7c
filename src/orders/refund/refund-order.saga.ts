import { Injectable } from '@nestjs/common';
import type { SagaDefinition, SagaStep } from '../../saga/saga-definition.js';
import { RefundRequestData, RequestRefundStep } from './request-refund.step.js';
import { SettleRefundStep } from './settle-refund.step.js';

/** A refund, full or partial: set aside, then paid back. */
@Injectable()
export class RefundOrderSaga implements SagaDefinition<RefundRequestData> {
  readonly name = 'refund-order';
  readonly version = 1;
  readonly steps: readonly SagaStep<RefundRequestData>[];

  constructor(request: RequestRefundStep, settle: SettleRefundStep) {
    this.steps = [request, settle];
  }
}
