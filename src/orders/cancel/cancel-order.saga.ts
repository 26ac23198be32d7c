import { Injectable } from '@nestjs/common';
import { pivot, type SagaDefinition, type SagaStep } from '../../saga/saga-definition.js';
import { BeginCancellationStep, CancellationData } from './begin-cancellation.step.js';
import { CancelOrderStep } from './cancel-order.step.js';
import { RestockInventoryStep } from './restock-inventory.step.js';
import { ReturnPaymentStep } from './return-payment.step.js';
import { SettleRefundStep } from '../refund/settle-refund.step.js';

/** Void or refund, restock, CANCELLED: once it has begun, only forward. */
@Injectable()
export class CancelOrderSaga implements SagaDefinition<CancellationData> {
  readonly name = 'cancel-order';
  readonly version = 2;
  readonly steps: readonly SagaStep<CancellationData>[];

  constructor(
    begin: BeginCancellationStep,
    returnPayment: ReturnPaymentStep,
    restock: RestockInventoryStep,
    cancel: CancelOrderStep,
  ) {
    this.steps = [pivot(begin), returnPayment, restock, cancel];
  }
}

/** The list of the release before, which knew no authorisations (docs/saga-versions.md). */
@Injectable()
export class CancelOrderSagaV1 implements SagaDefinition<CancellationData> {
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
