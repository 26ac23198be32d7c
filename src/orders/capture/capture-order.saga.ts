import { Injectable } from '@nestjs/common';
import { pivot, type SagaDefinition, type SagaStep } from '../../saga/saga-definition.js';
import { CapturePaymentStep } from './capture-payment.step.js';
import { type CaptureData, RequestCaptureStep } from './request-capture.step.js';

/** A capture, full or partial: once it is granted it goes on until the provider has said what became of it. */
@Injectable()
export class CaptureOrderSaga implements SagaDefinition<CaptureData> {
  readonly name = 'capture-order';
  readonly version = 1;
  readonly steps: readonly SagaStep<CaptureData>[];

  constructor(request: RequestCaptureStep, capture: CapturePaymentStep) {
    this.steps = [pivot(request), capture];
  }
}
