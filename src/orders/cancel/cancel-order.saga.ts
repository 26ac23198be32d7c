import { Injectable } from '@nestjs/common';
import { pivot, type SagaDefinition, type SagaStep } from '../../saga/saga-definition.js';
import { BeginCancellationStep, CancellationData } from './begin-cancellation.step.js';
import { CancelOrderStep } from './cancel-order.step.js';
import { RestockInventoryStep } from './restock-inventory.step.js';
import { SettleRefundStep } from '../refund/settle-refund.step.js';

/** Refund, restock, CANCELLED: once it has begun, only forward. */
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
    this.steps = [pivot(begin), refund, restock, cancel];
  }
}
