import type { CallLock } from './saga-calls.service.js';
import { identityToText } from '../../platform/tracing/trace-context.js';
import { assertMove } from '../../common/state-machine.js';
import {
  type Action,
  isPastPivot,
  type RemoteAction,
  type RetryPolicy,
  type SagaDefinition,
  type SagaStep,
} from '../saga-definition.js';
import { dropAttempt, MAX_LINES, type LogEntry, type StepEntry } from '../saga-log.js';
import { PHASE_NAMES, SAGA_TRANSITIONS, type SagaPhase, type SagaState } from '../saga-state.js';
import type { SagaTrace } from '../saga-trace.js';
import type { SagaFailure } from '../saga.errors.js';
import type { SagaSnapshot, StepContext } from '../step-context.js';

/** The stored part of a saga. Committed progress is never mutated: a retried transaction starts from it again. */
export interface SagaProgress<D> extends SagaSnapshot<D> {
  readonly position: number;
  readonly phase: SagaPhase;
  /** The members of `data` that have changed since the saga was first stored. They can be replaced, not removed. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly log: readonly LogEntry[];
  /** Failed attempts at the present place. */
  readonly attempts: number;
}

type Verdict =
  | { readonly kind: 'failed'; readonly failure: SagaFailure }
  | { readonly kind: 'suspended'; readonly untilMs: number }
  | { readonly kind: 'retried'; readonly reason: string }
  | { readonly kind: 'stuck'; readonly reason: string }
  | { readonly kind: 'abandoned'; readonly error: Error };

type StepReport = Pick<StepEntry, 'result' | 'attempt' | 'ms' | 'error'> & { readonly hasWaited?: boolean };

type Draft<D> = { -readonly [K in keyof SagaProgress<D>]: SagaProgress<D>[K] } & { log: LogEntry[] };

/**
 * A saga in the hands of this process: its stored progress, and the draft of the present transaction. A transaction is
 * `begin` … `accept`. Everybody may read the members of a run, and `set` alone writes them, so that every change has a
 * name below. Steps see the run as their StepContext.
 */
export class SagaRun<D = unknown> implements StepContext<D> {
  /** As of the last commit: what others may see. */
  readonly stored: SagaProgress<D>;
  /** Inside a transaction a draft, outside of one the stored progress itself. */
  readonly progress: SagaProgress<D>;
  readonly verdict: Verdict | undefined;
  /** The result of a remote call that is not recorded yet. */
  readonly answer: { readonly value: unknown; readonly ms: number } | undefined;
  readonly isNew: boolean;
  /** The last call at this place may have happened: it is looked up before it is made again. */
  readonly isInDoubt: boolean;
  /** Another instance drives it now, or will. */
  readonly isLost: boolean = false;
  /** Failed attempts at the first transaction, which has no row yet to be counted in. */
  readonly failedStarts: number = 0;
  /** Monotonic time of the last write that renewed the lease. */
  readonly leasedAt: number = performance.now();
  /** When the present transaction began. */
  readonly beganAt: number = this.leasedAt;
  /** How long the present transaction waited for its locks. */
  readonly lockWaitMs: number = 0;
  /** The previous owners, whose locks on this saga's keys we may take over, until we have done so. */
  readonly heirOf: string | undefined;
  /** The lock of the next call, if it has already been requested. */
  readonly callLock: CallLock | undefined;
  /** The log was too long and has lost lines in this transaction. */
  readonly isLogCut: boolean = false;
  /** Until the first line of the log that this process has stored. */
  readonly newDriver: string | undefined;

  constructor(
    readonly id: string,
    readonly definition: SagaDefinition<D>,
    readonly subject: string,
    readonly epoch: number,
    progress: SagaProgress<D>,
    origin: 'new' | 'recovered',
    /** The request that started it here, for log lines. Passed explicitly: see ADR 1. */
    readonly requestId?: string,
    readonly trace?: SagaTrace,
  ) {
    this.stored = progress;
    this.progress = progress;
    this.isNew = origin === 'new';
    this.isInDoubt = origin === 'recovered';
  }

  get data(): D {
    return this.progress.data;
  }
  get state(): SagaState {
    return this.progress.state;
  }
  get failure(): SagaFailure | null {
    return this.progress.failure;
  }
  get hasVerdict(): boolean {
    return this.verdict !== undefined;
  }

  get step(): SagaStep<D> {
    const step = this.definition.steps[this.progress.position];
    if (!step) throw new Error(`saga ${this.id}: no step at position ${this.progress.position}`);
    return step;
  }
  /** The action that is next; undefined where a step has nothing to compensate. */
  get action(): Action<D> | undefined {
    return this.isForward ? this.step.execute : this.step.compensate;
  }
  /** The same where a call is next. */
  get remoteAction(): RemoteAction<D> {
    const { action } = this;
    if (action?.kind !== 'remote') throw new Error(`saga ${this.id}: a call without a remote action`);
    return action;
  }
  get isForward(): boolean {
    return this.progress.phase === 'execute' || this.progress.phase === 'call';
  }
  get isCalling(): boolean {
    return this.progress.phase === 'call' || this.progress.phase === 'compensate-call';
  }
  get isEnded(): boolean {
    return this.progress.phase === 'end';
  }
  get isAtRest(): boolean {
    return this.isEnded || this.state === 'WAITING' || this.state === 'STUCK';
  }
  get isPastPivot(): boolean {
    return isPastPivot(this.definition.steps, this.progress.position);
  }
  /**
   * The pivot ends its transaction: a step behind it that throws must not roll the pivot back. A call without `prepare`
   * may still be entered, which saves a commit.
   */
  get mustCommitPivot(): boolean {
    if (!this.isPastPivot || isPastPivot(this.definition.steps, this.stored.position)) return false;
    const { action } = this;
    return action?.kind !== 'remote' || action.prepare !== undefined;
  }
  get retryPolicy(): RetryPolicy {
    return this.action?.retry ?? this.step.retry;
  }
  /** Sagas at the same place do the same next. */
  get place(): string {
    const { phase, position } = this.progress;
    return `${this.definition.name}@${this.definition.version}/${phase}/${position}`;
  }
  /** The place as fault points name it. */
  get point(): string {
    return `${this.step.name}:${this.progress.phase}`;
  }
  /** Whether the lease is certainly still ours, by the clock: an owner that was paused must not call anybody. */
  isLeased(leaseMs: number): boolean {
    return !this.isLost && (this.isNew || performance.now() - this.leasedAt <= leaseMs);
  }
  /** The new lines of the log; all lines if the stored log has lost some since. */
  get addedLog(): { readonly log: readonly LogEntry[]; readonly isLogCut: boolean } {
    const { isLogCut } = this;
    return { log: isLogCut ? this.progress.log : this.progress.log.slice(this.stored.log.length), isLogCut };
  }

  update(patch: Partial<D>): void {
    const { data, changes } = this.progress;
    this.move({ data: Object.assign({}, data, patch), changes: Object.assign({}, changes, patch) });
  }
  conclude(outcome: unknown): void {
    this.move({ outcome });
  }
  note(kind: string, detail?: Readonly<Record<string, unknown>>): void {
    this.append({ at: Date.now(), kind, detail });
  }
  fail(failure: SagaFailure): void {
    this.decide({ kind: 'failed', failure });
  }
  suspend(untilMs: number): void {
    this.decide({ kind: 'suspended', untilMs });
  }
  retry(reason: string): void {
    this.decide({ kind: 'retried', reason });
  }
  stick(reason: string): void {
    this.decide({ kind: 'stuck', reason });
  }
  abandon(error: Error): void {
    this.decide({ kind: 'abandoned', error });
  }
  clearVerdict(): void {
    this.set({ verdict: undefined });
  }

  /** Throws IllegalMoveError if the table has no such move of the state. */
  move(patch: Partial<Omit<SagaProgress<D>, 'log'>>): void {
    if (patch.state !== undefined) assertMove(SAGA_TRANSITIONS, this.progress.state, patch.state);
    Object.assign(this.draft, patch);
  }
  /** With `hasWaited`, also how long it took to get the locks and the other side's answer. */
  logStep({ result, attempt, ms, error, hasWaited = false }: StepReport): void {
    const { lockWaitMs, answer } = this;
    const { phase } = this.progress;
    this.append({
      step: this.step.name,
      at: Date.now(),
      phase: phase === 'execute' ? undefined : PHASE_NAMES[phase],
      result,
      attempt,
      ms,
      error,
      lockWaitMs: hasWaited && lockWaitMs >= 1 ? Math.round(lockWaitMs) : undefined,
      callMs: hasWaited && this.isCalling && answer ? Math.round(answer.ms) : undefined,
    });
  }

  /** A transaction starts, or starts again: the draft of an earlier attempt is discarded. */
  begin(lockWaitMs = 0): void {
    this.set({
      progress: draftOf(this.stored),
      isLogCut: false,
      verdict: undefined,
      beganAt: performance.now(),
      lockWaitMs,
    });
  }
  /** The transaction has committed. The lease that it wrote counts from its beginning. */
  accept(): void {
    if (this.isNew) this.move({ changes: {} });
    const { progress: stored, beganAt: leasedAt } = this;
    this.set({ stored, leasedAt, isNew: false, isInDoubt: false, answer: undefined, newDriver: undefined });
  }
  /** The same for a transaction that only recorded a failure: a call in doubt stays so until it is given up. */
  acceptTrouble(): void {
    const { isInDoubt } = this;
    this.accept();
    this.set({ isInDoubt: isInDoubt && this.isCalling });
  }
  /** The first transaction failed and left nothing. */
  failStart(): void {
    this.leaveCallLock();
    this.begin();
    this.set({ failedStarts: this.failedStarts + 1 });
  }

  /** A call is about to be made, or the other side has answered about the last one. */
  setInDoubt(isInDoubt: boolean): void {
    this.set({ isInDoubt });
  }
  takeAnswer(value: unknown, ms: number): void {
    this.set({ answer: { value, ms } });
  }
  /** The instance that drives it from now on: the log says so once. */
  setDriver(instance: string): void {
    this.set({ newDriver: instance });
  }
  lose(): void {
    this.set({ isLost: true });
  }
  renewLease(at: number): void {
    this.set({ leasedAt: Math.max(this.leasedAt, at) });
  }
  /** Until the locks are taken over; then `undefined`. */
  setHeirOf(owners: string | undefined): void {
    this.set({ heirOf: owners });
  }
  joinCallLock(lock: CallLock): void {
    this.set({ callLock: lock });
  }
  leaveCallLock(): void {
    this.callLock?.leave(this);
    this.set({ callLock: undefined });
  }

  /** The first verdict of a step counts. */
  private decide(verdict: Verdict): void {
    if (!this.verdict) this.set({ verdict });
  }
  private append(entry: LogEntry): void {
    const { log } = this.draft;
    if (log.length >= MAX_LINES) {
      dropAttempt(log);
      this.set({ isLogCut: true });
    }
    const by = log.length === this.stored.log.length ? this.newDriver : undefined;
    const trace = log.length === 0 && this.trace ? identityToText(this.trace) : undefined;
    log.push(by === undefined && trace === undefined ? entry : Object.assign(entry, { by, trace }));
  }
  private get draft(): Draft<D> {
    if (this.progress === this.stored) throw new Error(`saga ${this.id}: a change outside of a transaction`);
    return this.progress as Draft<D>;
  }
  private set(fields: Partial<SagaRun<D>>): void {
    Object.assign(this, fields);
  }
}

/** Member by member: a spread that overrides one is a hundred times slower. */
function draftOf<D>(stored: SagaProgress<D>): SagaProgress<D> {
  const { state, position, phase, data, changes, log, failure, outcome, attempts } = stored;
  return { state, position, phase, data, changes, log: [...log], failure, outcome, attempts };
}
