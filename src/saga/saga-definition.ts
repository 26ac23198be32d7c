import type { Tx } from '../platform/postgres/tx.js';
import type { Lease } from '../lock/lease.js';
import type { LockTimes } from '../lock/lock-keys.js';
import type { SagaSnapshot, StepContext } from './step-context.js';

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly capMs: number;
}

interface Common<D> {
  /** If it differs from the step's: a debt is retried for longer than a request. */
  readonly retry?: RetryPolicy;
  /** Declared here, taken by the engine around the transaction and released after its commit. */
  readonly locks?: { readonly keys: (data: D) => readonly string[]; readonly terms: LockTimes };
}

/** What the steps of one transaction share. */
export interface Stage {
  readonly lease: Lease | undefined;
  /**
   * The first attempt: a step may write optimistically, guarded by `tx.expect`, instead of reading first. If a guard
   * fails, nothing has happened, and the stage runs again with this being false.
   */
  readonly isOptimistic: boolean;
}

/** Writes only to our Postgres: its effect, the saga's progress and its log commit in one transaction. */
export interface LocalAction<D> extends Common<D> {
  readonly kind: 'local';
  /** Queries for `run`, sent while earlier steps of the transaction send theirs: one round trip for all. */
  prefetch?(tx: Tx, batch: readonly StepContext<D>[], stage: Stage): void;
  run(tx: Tx, batch: readonly StepContext<D>[], stage: Stage): Promise<void>;
}

export interface CallContext {
  /** Aborts at the step's timeout and when the lock's lease ends, whichever comes first. */
  readonly signal: AbortSignal;
}

export interface Called<D, R> {
  readonly run: StepContext<D>;
  readonly result: R;
}

/** Calls another system, outside any transaction: intent first, then the call, then the result. */
export interface RemoteAction<D, R = unknown> extends Common<D> {
  readonly kind: 'remote';
  /** Persists the intent; commits with the local steps before it. */
  prepare?(tx: Tx, batch: readonly StepContext<D>[]): Promise<void>;
  /** Throws OutcomeUnknownError if the outcome is unknown. */
  call(run: StepContext<D>, context: CallContext): Promise<R>;
  /**
   * Asks the other side about an earlier call. Undefined only if it never arrived **and** `call` is still safe. If
   * neither can be known any more it returns that, and `record` calls `run.stick`: a person decides, and nothing is
   * called.
   */
  resolve(run: StepContext<D>, context: CallContext): Promise<R | undefined>;
  /** Persists that the outcome is unknown. */
  doubt?(tx: Tx, batch: readonly StepContext<D>[]): Promise<void>;
  /**
   * Persists the result and gives the verdict: nothing (continue), `run.fail`, `run.suspend`, `run.retry` or
   * `run.stick`.
   */
  record(tx: Tx, batch: readonly Called<D, R>[]): Promise<void>;
}

export type Action<D> = LocalAction<D> | RemoteAction<D>;

export interface SagaStep<D> {
  readonly name: string;
  readonly retry: RetryPolicy;
  /** The timeout of the remote call. Local work is bounded by the database's statement timeout and the locks' waits. */
  readonly timeoutMs: number;
  readonly execute: Action<D>;
  readonly compensate?: Action<D>;
  /** Set by `pivot`, in the list of a definition. */
  readonly isPivot?: boolean;
  /** Set by `onlyIf`, in the list of a definition. */
  readonly isNeeded?: (data: D) => boolean;
}

/** An ordered list of steps. A saga finishes with the version it started with. */
export interface SagaDefinition<D> {
  readonly name: string;
  readonly version: number;
  readonly steps: readonly SagaStep<D>[];
  /**
   * Called once, after the commit that ended the saga, by the instance that made it: for metrics, never for effects.
   */
  onEnded?(saga: SagaSnapshot<D>): void;
}

/**
 * Declares the step of a list behind which the saga only goes forward: once it has committed, what comes behind it is
 * retried and then STUCK, never compensated. The pivot itself may still fail, and then the saga turns back.
 */
export function pivot<D>(step: SagaStep<D>): SagaStep<D> {
  return { ...step, isPivot: true };
}

/**
 * A step of a list that other sagas do without: they pass it over in both directions, without a statement, a lock or a line
 * in the log. The condition may depend only on what a saga knows from its beginning.
 */
export function onlyIf<D>(isNeeded: (data: D) => boolean, step: SagaStep<D>): SagaStep<D> {
  return { ...step, isNeeded };
}

/** Whether a saga whose next step is at this position has its pivot behind it. */
export function isPastPivot(steps: readonly { readonly isPivot?: boolean }[], position: number): boolean {
  return steps.some(({ isPivot }, index) => isPivot === true && index < position);
}

/** Preserves the result's type between `call` and `record` of one action; the engine only passes it on. */
export function remote<D, R>(action: RemoteAction<D, R>): RemoteAction<D> {
  return action;
}
