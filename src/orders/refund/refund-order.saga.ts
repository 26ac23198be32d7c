import { Injectable } from '@nestjs/common';
import { pivot, type SagaDefinition, type SagaStep } from '../../saga/saga-definition.js';
import { RefundRequestData, RequestRefundStep } from './request-refund.step.js';
import { SettleRefundStep } from './settle-refund.step.js';

/** A refund, full or partial: set aside, then paid back. What is set aside is owed: it is paid back or STUCK. */
@Injectable()
export class RefundOrderSaga implements SagaDefinition<RefundRequestData> {
  readonly name = 'refund-order';
  readonly version = 1;
  readonly steps: readonly SagaStep<RefundRequestData>[];

  constructor(request: RequestRefundStep, settle: SettleRefundStep) {
    this.steps = [pivot(request), settle];
  }
}
