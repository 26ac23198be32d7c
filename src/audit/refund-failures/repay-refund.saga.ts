import { Injectable } from '@nestjs/common';
import { pivot, type SagaDefinition, type SagaStep } from '../../saga/saga-definition.js';
import { SettleRefundStep } from '../../orders/refund/settle-refund.step.js';
import { FailedRefundData, ReverseRefundStep } from './reverse-refund.step.js';

/** For a refund that settled and did not arrive: reverses it in our tables, then pays it again. */
@Injectable()
export class RepayRefundSaga implements SagaDefinition<FailedRefundData> {
  readonly name = 'repay-refund';
  readonly version = 1;
  readonly steps: readonly SagaStep<FailedRefundData>[];

  constructor(reverse: ReverseRefundStep, settle: SettleRefundStep) {
    this.steps = [pivot(reverse), settle];
  }
}
