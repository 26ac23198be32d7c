import type { SagaState } from './saga-state.js';
import type { SagaFailure } from './saga.errors.js';

/**
 * A saga as its steps see it: its data, and the methods with which a step gives its verdict. A step without a verdict
 * lets the saga continue. A step's first verdict counts, and it commits with the step or not at all.
 */
export interface StepContext<D> {
  readonly data: D;
  /** Why the saga turned back; set during compensation. */
  readonly failure: SagaFailure | null;
  /** Nothing of the saga is stored yet: it may still be abandoned. */
  readonly isNew: boolean;
  /** The step has given its verdict: its later statements must not include this saga. */
  readonly hasVerdict: boolean;
  /** Data is immutable: a step replaces members. */
  update(patch: Partial<D>): void;
  /** The saga's result, for its caller and for repeated requests. */
  conclude(outcome: unknown): void;
  /** Adds an entry to the timeline of the saga's subject. */
  note(kind: string, detail?: Readonly<Record<string, unknown>>): void;
  /** Permanent: compensation starts at once. */
  fail(failure: SagaFailure): void;
  /** Rests until the saga is woken or the time is over. */
  suspend(untilMs: number): void;
  /** Transient: the call is made again after a backoff, until the policy gives up. */
  retry(reason: string): void;
  /** Only a person can decide how this continues: STUCK here, and tried again from here on an operator's command. */
  stick(reason: string): void;
  /** Only before the first write of a new saga: nothing of it is stored. */
  abandon(error: Error): void;
}

/** A saga as it is stored, for others. */
export interface SagaSnapshot<D> {
  readonly state: SagaState;
  readonly data: D;
  readonly outcome: unknown;
  readonly failure: SagaFailure | null;
}
