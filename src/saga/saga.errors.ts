import { ErrorCode } from '../common/domain-error.js';

/** Why a saga turned back, in the words its caller will read. */
export interface SagaFailure {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A remote call that may or may not have happened: it is resolved by asking, never by guessing. */
export class OutcomeUnknownError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutcomeUnknownError';
  }
}

/** Another instance has claimed a saga since: whoever holds the old epoch writes nothing more. */
export class SagaFencedError extends Error {
  constructor() {
    super('a saga was taken over by another instance');
    this.name = 'SagaFencedError';
  }
}

/** The saga goes on elsewhere or later; its waiter has to look it up. */
export class SagaHandedOverError extends Error {
  constructor(sagaId: string, options?: ErrorOptions) {
    super(`saga ${sagaId} is no longer driven by this request`, options);
    this.name = 'SagaHandedOverError';
  }
}
