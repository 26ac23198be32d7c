import { Injectable } from '@nestjs/common';
import { onlyIf, pivot, type SagaDefinition, type SagaStep } from '../saga/saga-definition.js';
import type { SagaSnapshot } from '../saga/step-context.js';
import { CheckoutData, paysByCredit } from './checkout-data.js';
import { CheckoutMetrics } from './checkout-metrics.js';
import { DeclineLimiter } from './decline-limiter.service.js';
import { ConfirmOrderStep } from './steps/confirm-order.step.js';
import { CreateOrderStep } from './steps/create-order.step.js';
import { HoldCreditStep } from './steps/hold-credit.step.js';
import { ProcessPaymentStep } from './steps/process-payment.step.js';
import { ReserveInventoryStep } from './steps/reserve-inventory.step.js';

/** The steps of a checkout. */
@Injectable()
export class CheckoutSaga implements SagaDefinition<CheckoutData> {
  readonly name = 'checkout';
  readonly version = 2;
  readonly steps: readonly SagaStep<CheckoutData>[];

  constructor(
    createOrder: CreateOrderStep,
    reserveInventory: ReserveInventoryStep,
    holdCredit: HoldCreditStep,
    processPayment: ProcessPaymentStep,
    confirmOrder: ConfirmOrderStep,
    private readonly metrics: CheckoutMetrics,
    private readonly declines: DeclineLimiter,
  ) {
    this.steps = [createOrder, reserveInventory, onlyIf(paysByCredit, holdCredit), processPayment, pivot(confirmOrder)];
  }

  onEnded(saga: SagaSnapshot<CheckoutData>): void {
    this.metrics.count(saga);
    this.declines.count(saga);
  }
}

/** The list of the release before, for checkouts that began with it (docs/saga-versions.md). */
@Injectable()
export class CheckoutSagaV1 implements SagaDefinition<CheckoutData> {
  readonly name = 'checkout';
  readonly version = 1;
  readonly steps: readonly SagaStep<CheckoutData>[];

  constructor(private readonly successor: CheckoutSaga) {
    this.steps = successor.steps.filter(({ name }) => name !== 'hold-credit');
  }

  onEnded(saga: SagaSnapshot<CheckoutData>): void {
    this.successor.onEnded(saga);
  }
}
