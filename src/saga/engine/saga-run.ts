import type { CallLock } from './call-lock.js';
import { assertMove } from '../../common/state-machine.js';
import { type Action, isPastPivot, type RetryPolicy, type SagaDefinition, type SagaStep } from '../saga-definition.js';
import { appendToLog, type LogEntry, type StepEntry } from '../saga-log.js';
import { SAGA_TRANSITIONS, type SagaPhase, type SagaState } from '../saga-state.js';
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

type Draft<D> = { -readonly [K in keyof SagaProgress<D>]: SagaProgress<D>[K] } & { log: LogEntry[] };

/**
 * A saga in the hands of this process: its stored progress, and the draft of the present transaction. Its fields are
 * written here and nowhere else. A transaction is `begin` … `accept`; steps see the run as their StepContext.
 */
export class SagaRun<D = unknown> implements StepContext<D> {
  private committed: SagaProgress<D>;
  /** The committed progress itself until something changes, then a copy. */
  private current: SagaProgress<D>;
  private givenVerdict: Verdict | undefined;
  private callAnswer: { readonly value: unknown } | undefined;
  private isUnstored: boolean;
  private isDoubtful: boolean;
  private isTakenAway = false;
  private startFailures = 0;
  private renewedAt = performance.now();
  private beganAt = this.renewedAt;
  private isLogCut = false;
  private waitedMs = 0;
  private formerOwners: string | undefined;
  private nextCallLock: CallLock | undefined;

  constructor(
    readonly id: string,
    readonly definition: SagaDefinition<D>,
    readonly subject: string,
    readonly epoch: number,
    progress: SagaProgress<D>,
    origin: 'new' | 'recovered',
    /** The request that started it here, for log lines. Passed explicitly: see ADR 1. */
    readonly requestId?: string,
  ) {
    this.committed = progress;
    this.current = progress;
    this.isUnstored = origin === 'new';
    this.isDoubtful = origin === 'recovered';
  }

  get progress(): SagaProgress<D> {
    return this.current;
  }
  /** As of the last commit: what others may see. */
  get stored(): SagaProgress<D> {
    return this.committed;
  }
  get data(): D {
    return this.current.data;
  }
  get state(): SagaState {
    return this.current.state;
  }
  get failure(): SagaFailure | null {
    return this.current.failure;
  }
  get isNew(): boolean {
    return this.isUnstored;
  }
  /** The last call at this place may have happened: it is looked up before it is made again. */
  get isInDoubt(): boolean {
    return this.isDoubtful;
  }
  /** Another instance drives it now, or will. */
  get isLost(): boolean {
    return this.isTakenAway;
  }
  /** Failed attempts at the first transaction, which has no row yet to be counted in. */
  get failedStarts(): number {
    return this.startFailures;
  }
  /** Monotonic time of the last write that renewed the lease. */
  get leasedAt(): number {
    return this.renewedAt;
  }
  get lockWaitMs(): number {
    return this.waitedMs;
  }
  /** The previous owners, whose locks on this saga's keys we may take over, until we have done so. */
  get heirOf(): string | undefined {
    return this.formerOwners;
  }
  /** The lock of the next call, if the transaction before the call has already requested it. */
  get callLock(): CallLock | undefined {
    return this.nextCallLock;
  }
  /** The result of a remote call that is not recorded yet. */
  get answer(): { readonly value: unknown } | undefined {
    return this.callAnswer;
  }
  get verdict(): Verdict | undefined {
    return this.givenVerdict;
  }
  get hasVerdict(): boolean {
    return this.givenVerdict !== undefined;
  }

  get step(): SagaStep<D> {
    const step = this.definition.steps[this.current.position];
    if (!step) throw new Error(`saga ${this.id}: no step at position ${this.current.position}`);
    return step;
  }
  /** The action that is next; undefined where a step has nothing to compensate. */
  get action(): Action<D> | undefined {
    return this.isForward ? this.step.execute : this.step.compensate;
  }
  get isForward(): boolean {
    return this.current.phase === 'execute' || this.current.phase === 'call';
  }
  get isCalling(): boolean {
    return this.current.phase === 'call' || this.current.phase === 'compensate-call';
  }
  get isEnded(): boolean {
    return this.current.phase === 'end';
  }
  get isAtRest(): boolean {
    return this.isEnded || this.state === 'WAITING' || this.state === 'STUCK';
  }
  get isPastPivot(): boolean {
    return isPastPivot(this.definition.steps, this.current.position);
  }
  /**
   * The pivot ends its transaction: a step behind it that throws must not roll the pivot back. A call without `prepare`
   * may still be entered, which saves a commit.
   */
  get mustCommitPivot(): boolean {
    if (!this.isPastPivot || isPastPivot(this.definition.steps, this.committed.position)) return false;
    const { action } = this;
    return action?.kind !== 'remote' || action.prepare !== undefined;
  }
  get retryPolicy(): RetryPolicy {
    return this.action?.retry ?? this.step.retry;
  }
  /** Sagas at the same place do the same next. */
  get place(): string {
    const { phase, position } = this.current;
    return `${this.definition.name}@${this.definition.version}/${phase}/${position}`;
  }
  /** The place as fault points name it. */
  get point(): string {
    return `${this.step.name}:${this.current.phase}`;
  }
  /** Whether the lease is certainly still ours, by the clock: an owner that was paused must not call anybody. */
  isLeased(leaseMs: number): boolean {
    return !this.isTakenAway && (this.isUnstored || performance.now() - this.renewedAt <= leaseMs);
  }
  /** The new lines of the log; all lines if the stored log has lost some since. */
  get addedLog(): { readonly log: readonly LogEntry[]; readonly isLogCut: boolean } {
    const { isLogCut } = this;
    return { log: isLogCut ? this.current.log : this.current.log.slice(this.committed.log.length), isLogCut };
  }

  update(patch: Partial<D>): void {
    this.move({ data: { ...this.current.data, ...patch }, changes: { ...this.current.changes, ...patch } });
  }
  conclude(outcome: unknown): void {
    this.move({ outcome });
  }
  note(kind: string, detail?: Readonly<Record<string, unknown>>): void {
    this.append({ at: Date.now(), kind, ...(detail && { detail }) });
  }
  fail(failure: SagaFailure): void {
    this.givenVerdict ??= { kind: 'failed', failure };
  }
  suspend(untilMs: number): void {
    this.givenVerdict ??= { kind: 'suspended', untilMs };
  }
  retry(reason: string): void {
    this.givenVerdict ??= { kind: 'retried', reason };
  }
  stick(reason: string): void {
    this.givenVerdict ??= { kind: 'stuck', reason };
  }
  abandon(error: Error): void {
    this.givenVerdict ??= { kind: 'abandoned', error };
  }
  clearVerdict(): void {
    this.givenVerdict = undefined;
  }

  /** Throws IllegalMoveError if the table has no such move of the state. */
  move(patch: Partial<Omit<SagaProgress<D>, 'log'>>): void {
    if (patch.state !== undefined) assertMove(SAGA_TRANSITIONS, this.current.state, patch.state);
    Object.assign(this.draft(), patch);
  }
  logStep(entry: Omit<StepEntry, 'at' | 'step' | 'phase'>): void {
    const { phase } = this.current;
    this.append({ step: this.step.name, at: Date.now(), ...(phase !== 'execute' && { phase }), ...entry });
  }

  /** A transaction starts, or starts again: the draft of an earlier attempt is discarded. */
  begin(): void {
    if (this.isUnstored) this.leaveCallLock();
    this.current = this.committed;
    this.isLogCut = false;
    this.givenVerdict = undefined;
    this.beganAt = performance.now();
  }
  /** The transaction has committed. The lease that it wrote counts from its beginning. */
  accept(): void {
    if (this.isUnstored) this.move({ changes: {} });
    this.committed = this.current;
    this.isUnstored = false;
    this.isLogCut = false;
    this.callAnswer = undefined;
    this.renewedAt = this.beganAt;
    this.waitedMs = 0;
    this.isDoubtful = false;
  }
  /** The same for a transaction that only recorded a failure: a call in doubt stays so until it is given up. */
  acceptTrouble(): void {
    const { isDoubtful } = this;
    this.accept();
    this.isDoubtful = isDoubtful && this.isCalling;
  }
  /** The first transaction failed and left nothing. */
  failStart(): void {
    this.begin();
    this.startFailures += 1;
  }

  /** A call is about to be made, or the other side has answered about the last one. */
  setInDoubt(isInDoubt: boolean): void {
    this.isDoubtful = isInDoubt;
  }
  takeAnswer(value: unknown): void {
    this.callAnswer = { value };
  }
  lose(): void {
    this.isTakenAway = true;
  }
  renewLease(at: number): void {
    this.renewedAt = Math.max(this.renewedAt, at);
  }
  setLockWait(ms: number): void {
    this.waitedMs = ms;
  }
  /** Until the locks are taken over; then `undefined`. */
  setHeirOf(owners: string | undefined): void {
    this.formerOwners = owners;
  }
  joinCallLock(lock: CallLock): void {
    this.nextCallLock = lock;
  }
  leaveCallLock(): void {
    this.nextCallLock?.leave(this);
    this.nextCallLock = undefined;
  }

  private append(entry: LogEntry): void {
    if (appendToLog(this.draft().log, entry)) this.isLogCut = true;
  }
  private draft(): Draft<D> {
    if (this.current === this.committed) this.current = { ...this.committed, log: [...this.committed.log] };
    return this.current as Draft<D>;
  }
}
