import type { SagaState } from './saga-state.js';
import type { SagaFailure } from './saga.errors.js';

/**
 * A saga as its steps see it: what it knows, and the words in which a step gives its verdict. A step that says nothing
 * lets the saga go on. The first verdict of a step counts; all of it commits with the step, or never was.
 */
export interface StepContext<D> {
  readonly data: D;
  /** Why the saga turned back, on its way back. */
  readonly failure: SagaFailure | null;
  /** Nothing of the saga is stored yet: it may still be abandoned. */
  readonly isNew: boolean;
  /** The step has said how the saga goes on: no later statement of the same step is about it. */
  readonly hasVerdict: boolean;
  /** Data is immutable: a step replaces members. */
  update(patch: Partial<D>): void;
  /** What the saga came to, for those who asked for it and for those who ask again. */
  conclude(outcome: unknown): void;
  /** For the timeline of what the saga is about. */
  note(kind: string, detail?: Readonly<Record<string, unknown>>): void;
  /** Permanent: compensation starts at once. */
  fail(failure: SagaFailure): void;
  /** Rest until somebody wakes the saga or the time is over. */
  suspend(untilMs: number): void;
  /** Transient: the call is made again after a backoff, until the policy gives up. */
  retry(reason: string): void;
  /** Only a person can decide how this goes on: STUCK here, and tried again from here when an operator says so. */
  stick(reason: string): void;
  /** Only before the first write of a new saga: nothing of it stays. */
  abandon(error: Error): void;
}

/** A saga as it is stored: what others may know of it. */
export interface SagaSnapshot<D> {
  readonly state: SagaState;
  readonly data: D;
  readonly outcome: unknown;
  readonly failure: SagaFailure | null;
}
