import { Injectable } from '@nestjs/common';
import type { SagaDefinition, SagaStep } from '../../saga/saga-definition.js';
import { BeginCancellationStep, CancellationData } from './begin-cancellation.step.js';
import { CancelOrderStep } from './cancel-order.step.js';
import { RestockInventoryStep } from './restock-inventory.step.js';
import { SettleRefundStep } from '../refund/settle-refund.step.js';

/** Refund, restock, CANCELLED: from the refund on only forward. */
@Injectable()
export class CancelOrderSaga implements SagaDefinition<CancellationData> {
  readonly name = 'cancel-order';
  readonly version = 1;
  readonly steps: readonly SagaStep<CancellationData>[];

  constructor(
    begin: BeginCancellationStep,
    refund: SettleRefundStep,
    restock: RestockInventoryStep,
    cancel: CancelOrderStep,
  ) {
    this.steps = [begin, refund, restock, cancel];
  }
}
