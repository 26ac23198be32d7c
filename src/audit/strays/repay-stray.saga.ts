import { Injectable } from '@nestjs/common';
import { pivot, type SagaDefinition, type SagaStep } from '../../saga/saga-definition.js';
import { RefundStrayStep } from './refund-stray.step.js';
import type { FailedStrayData } from './stray-data.js';
import { ReverseStrayStep } from './reverse-stray.step.js';

/** For a stray charge whose refund settled and did not arrive: owed again, then paid again. */
@Injectable()
export class RepayStraySaga implements SagaDefinition<FailedStrayData> {
  readonly name = 'repay-stray-charge';
  readonly version = 1;
  readonly steps: readonly SagaStep<FailedStrayData>[];

  constructor(reverse: ReverseStrayStep, refund: RefundStrayStep) {
    this.steps = [pivot(reverse), refund];
  }
}
