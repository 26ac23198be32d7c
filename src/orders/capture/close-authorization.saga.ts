import { Injectable } from '@nestjs/common';
import { pivot, type SagaDefinition, type SagaStep } from '../../saga/saga-definition.js';
import { ClaimAuthorizationStep, type ClosingData } from './claim-authorization.step.js';
import { CloseAuthorizationStep } from './close-authorization.step.js';

/** The end of an authorisation that nobody asked for: its time is over, or the provider has ended it. */
@Injectable()
export class CloseAuthorizationSaga implements SagaDefinition<ClosingData> {
  readonly name = 'close-authorization';
  readonly version = 1;
  readonly steps: readonly SagaStep<ClosingData>[];

  constructor(claim: ClaimAuthorizationStep, close: CloseAuthorizationStep) {
    this.steps = [pivot(claim), close];
  }
}
