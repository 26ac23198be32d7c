import { ErrorCode } from '../common/domain-error.js';

/** Why a saga turned back, as its caller will read it. */
export interface SagaFailure {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A remote call that may or may not have happened. It must be looked up before the next one. */
export class OutcomeUnknownError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutcomeUnknownError';
  }
}

/** Another instance has claimed the saga: the holder of the old epoch can write nothing more. */
export class SagaFencedError extends Error {
  constructor() {
    super('a saga was taken over by another instance');
    this.name = 'SagaFencedError';
  }
}

/** The saga continues elsewhere or later; its waiter has to look it up. */
export class SagaHandedOverError extends Error {
  constructor(sagaId: string, options?: ErrorOptions) {
    super(`saga ${sagaId} is no longer driven by this request`, options);
    this.name = 'SagaHandedOverError';
  }
}
