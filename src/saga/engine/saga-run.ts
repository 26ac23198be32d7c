import type { CallLock } from './call-lock.js';
import type { RetryPolicy, SagaDefinition, SagaStep } from '../saga-definition.js';
import type { SagaPhase, SagaState } from '../saga-state.js';
import type { SagaFailure } from '../saga.errors.js';

/** What a step did, or tried. */
export interface StepEntry {
  readonly step: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `execute` if absent. */
  readonly phase?: SagaPhase;
  /** `done` if absent. */
  readonly result?: 'prepared' | 'failed' | 'suspended' | 'retried' | 'in-doubt' | 'stuck';
  readonly attempt?: number;
  readonly ms?: number;
  readonly lockWaitMs?: number;
  readonly error?: string;
}

/** What a step says has happened, in the words of its domain. */
export interface Note {
  readonly at: number;
  readonly kind: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The log is part of the saga's own row, so that progress and log are one guarded write. Lines are kept short. */
export type LogEntry = StepEntry | Note;

export function isStep(entry: LogEntry): entry is StepEntry {
  return 'step' in entry;
}

export function isNote(entry: LogEntry): entry is Note {
  return 'kind' in entry;
}

/** What is stored of a saga. What was committed is never mutated: a retried transaction starts from it again. */
export interface SagaProgress<D> {
  readonly state: SagaState;
  readonly position: number;
  readonly phase: SagaPhase;
  readonly data: D;
  /** The members of `data` that are no longer as the saga was stored first. They can be replaced, not removed. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly log: readonly LogEntry[];
  readonly failure: SagaFailure | null;
  readonly outcome: unknown;
  /** Failed attempts at the present place. */
  readonly attempts: number;
}

type Verdict =
  | { readonly kind: 'failed'; readonly failure: SagaFailure }
  | { readonly kind: 'suspended'; readonly untilMs: number }
  | { readonly kind: 'retried'; readonly reason: string }
  | { readonly kind: 'stuck'; readonly reason: string }
  | { readonly kind: 'abandoned'; readonly error: Error };

const MAX_LOG = 100;
const KEPT_FROM_START = 10;

type Draft<D> = { -readonly [K in keyof SagaProgress<D>]: SagaProgress<D>[K] } & { log: LogEntry[] };

/** A saga in the hands of this process: its stored progress, and what the present transaction has made of it so far. */
export class SagaRun<D = unknown> {
  private committed: SagaProgress<D>;
  /** The committed progress itself until something changes, then a copy. */
  private current: SagaProgress<D>;
  private verdictGiven: Verdict | undefined;
  /** Result of the remote call that waits to be recorded. */
  result: { value: unknown } | undefined;
  isNew: boolean;
  isInDoubt: boolean;
  isLost = false;
  /** Failed attempts at the first transaction, which has no row yet to be counted in. */
  failedStarts = 0;
  /** Monotonic time of the last write that renewed the lease. */
  leasedAt = performance.now();
  private beganAt = this.leasedAt;
  private isLogCut = false;
  lockWaitMs = 0;
  /** The owners before, whose locks on this saga's keys are ours to take over, until we have taken them. */
  heirOf: string | undefined;
  /** The lock of the call that comes next, where it was taken ahead. */
  callLock: CallLock | undefined;

  constructor(
    readonly id: string,
    readonly definition: SagaDefinition<D>,
    readonly subject: string,
    readonly epoch: number,
    progress: SagaProgress<D>,
    origin: 'new' | 'recovered',
    /** Of whoever started it here; names the request in log lines. Passed along by hand: see ADR 1. */
    readonly requestId?: string,
  ) {
    this.committed = progress;
    this.current = progress;
    this.isNew = origin === 'new';
    this.isInDoubt = origin === 'recovered';
  }

  get progress(): SagaProgress<D> {
    return this.current;
  }
  /** As of the last commit: what others may be told. */
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
  get step(): SagaStep<D> {
    const step = this.definition.steps[this.current.position];
    if (!step) throw new Error(`saga ${this.id}: no step at position ${this.current.position}`);
    return step;
  }
  get isForward(): boolean {
    return this.current.phase === 'execute' || this.current.phase === 'call';
  }
  get retryPolicy(): RetryPolicy {
    return (this.isForward ? this.step.execute : this.step.compensate)?.retry ?? this.step.retry;
  }
  get isEnded(): boolean {
    return this.current.phase === 'end';
  }
  get isPastPivot(): boolean {
    return this.definition.steps.slice(0, this.current.position + 1).some((step) => step.isPivot);
  }
  /** Whether the lease is certainly ours still, by the clock: somebody who was paused must not call anybody. */
  isLeased(leaseMs: number): boolean {
    return !this.isLost && (this.isNew || performance.now() - this.leasedAt <= leaseMs);
  }
  get verdict(): Verdict | undefined {
    return this.verdictGiven;
  }

  /** Data is immutable: a step replaces members. */
  update(patch: Partial<D>): void {
    this.move({ data: { ...this.current.data, ...patch }, changes: { ...this.current.changes, ...patch } });
  }
  /** What the saga came to, for those who asked for it and for those who ask again. */
  conclude(outcome: unknown): void {
    this.move({ outcome });
  }
  /** Permanent: compensation starts at once. */
  fail(failure: SagaFailure): void {
    this.verdictGiven ??= { kind: 'failed', failure };
  }
  /** Rest until somebody wakes the saga or the time is over. */
  suspend(untilMs: number): void {
    this.verdictGiven ??= { kind: 'suspended', untilMs };
  }
  /** Transient: the call is made again after a backoff, until the policy gives up. */
  retry(reason: string): void {
    this.verdictGiven ??= { kind: 'retried', reason };
  }
  /** Only a person can decide how this goes on: STUCK here, and tried again from here when an operator says so. */
  stick(reason: string): void {
    this.verdictGiven ??= { kind: 'stuck', reason };
  }
  /** Only before the first write of a new saga: nothing of it stays. */
  abandon(error: Error): void {
    this.verdictGiven ??= { kind: 'abandoned', error };
  }

  move(patch: Partial<Omit<SagaProgress<D>, 'log'>>): void {
    Object.assign(this.draft(), patch);
  }
  note(entry: Omit<StepEntry, 'at' | 'step' | 'phase'>): void {
    const { phase } = this.current;
    this.add({ step: this.step.name, at: Date.now(), ...(phase !== 'execute' && { phase }), ...entry });
  }
  /** For the timeline of what the saga is about: commits with the step, or never was. */
  tell(kind: string, detail?: Readonly<Record<string, unknown>>): void {
    this.add({ at: Date.now(), kind, ...(detail && { detail }) });
  }
  /** What the log has more than the stored one; all of it where that has lost lines since. */
  get addedLog(): { readonly log: readonly LogEntry[]; readonly isLogCut: boolean } {
    const { isLogCut } = this;
    return { log: isLogCut ? this.current.log : this.current.log.slice(this.committed.log.length), isLogCut };
  }
  leaveCallLock(): void {
    this.callLock?.leave(this);
    this.callLock = undefined;
  }
  clearVerdict(): void {
    this.verdictGiven = undefined;
  }

  /** A long log loses attempts from its middle: how it began and how it stands matter, and what happened always does. */
  private add(entry: LogEntry): void {
    const { log } = this.draft();
    if (log.length >= MAX_LOG) {
      const spare = log.findIndex((line, index) => index >= KEPT_FROM_START && !isNote(line));
      if (spare >= 0) log.splice(spare, 1);
      this.isLogCut = true;
    }
    log.push(entry);
  }

  private draft(): Draft<D> {
    if (this.current === this.committed) this.current = { ...this.committed, log: [...this.committed.log] };
    return this.current as Draft<D>;
  }

  /** A transaction starts, or starts over: whatever an earlier attempt made of this run is forgotten. */
  begin(): void {
    if (this.isNew) this.leaveCallLock();
    this.current = this.committed;
    this.isLogCut = false;
    this.verdictGiven = undefined;
    this.beganAt = performance.now();
  }
  /** The transaction has committed: the lease it wrote counts from when it began. */
  accept(): void {
    if (this.isNew) this.move({ changes: {} });
    this.committed = this.current;
    this.isNew = false;
    this.isLogCut = false;
    this.result = undefined;
    this.leasedAt = this.beganAt;
    this.lockWaitMs = 0;
    this.isInDoubt = false;
  }
}
