import { Injectable } from '@nestjs/common';
import { pivot, type SagaDefinition, type SagaStep } from '../../saga/saga-definition.js';
import { RecordStrayStep } from './record-stray.step.js';
import { RefundStrayStep } from './refund-stray.step.js';
import type { StrayData } from './stray-data.js';

/** For money that arrived after its order was given up: records it, then pays it back. */
@Injectable()
export class RefundStraySaga implements SagaDefinition<StrayData> {
  readonly name = 'refund-stray-charge';
  readonly version = 1;
  readonly steps: readonly SagaStep<StrayData>[];

  constructor(record: RecordStrayStep, refund: RefundStrayStep) {
    this.steps = [pivot(record), refund];
  }
}
