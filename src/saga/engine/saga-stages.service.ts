import { Inject, Injectable } from '@nestjs/common';
import { faultPoint } from '../../common/fault-point.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { isUnavailable } from '../../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { GuardFailedError, type Tx } from '../../platform/postgres/tx.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { LockBackendUnavailableError, LockTimeoutError } from '../../lock/lock-errors.js';
import { LockService } from '../../lock/lock.service.js';
import { type HeldKeys, LockedBatches, NOTHING_HELD } from '../../lock/locked-batches.js';
import { SagaRepository } from '../saga.repository.js';
import { SagaFencedError } from '../saga.errors.js';
import { SagaCalls } from './saga-calls.service.js';
import type { SagaRun } from './saga-run.js';
import { SagaTelemetry } from './saga-telemetry.js';
import { type LockTimes, DEFAULT_WORK_MS } from '../../lock/lock-keys.js';
import type { Action, Called, Stage } from '../saga-definition.js';
import { concludeStep } from './saga-moves.js';

/** Larger batches only lengthen the wait of their members; see bench/ for the measurement. */
const MAX_BATCH = 128;
/**
 * A second batch starts beside one under way only if it is large, or if that one is slow, for example because it waits
 * for a lock: at 64 buyers, smaller batches cost a sixth more of the processor and hid nothing (ADR 4).
 */
const OVERLAP = { maxInFlight: 2, overlapFrom: 32, patienceMs: 25 };
/** Orders with many lines make smaller batches: a lock takes its keys in one script. */
const MAX_KEYS = 1_000;

type Batches = LockedBatches<SagaRun, undefined>;

/** Group commit: sagas that wait at the same place share one set of locks, one transaction and one commit. */
@Injectable()
export class SagaStages {
  private readonly places = new Map<string, Batches>();

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly locks: LockService,
    private readonly repository: SagaRepository,
    private readonly outbox: OutboxRepository,
    private readonly calls: SagaCalls,
    private readonly telemetry: SagaTelemetry,
  ) {}

  /** Runs the next local part of this saga, together with all others at the same place. */
  advance(run: SagaRun): Promise<undefined> {
    const { place } = run;
    let batches = this.places.get(place);
    if (!batches) this.places.set(place, (batches = this.batchesAt(run)));
    return batches.run(run);
  }

  /** A transaction for one saga outside the batches, for recording a failure. */
  async commitAlone(run: SagaRun, work: (tx: Tx) => Promise<void>): Promise<void> {
    const point = `${run.point}:trouble`;
    await this.transactions.run(async (tx) => {
      this.telemetry.traces?.mark(tx, [run]);
      run.begin();
      await work(tx);
      this.persist(tx, [run]);
      await faultPoint(`before-commit:${point}`);
    });
    await faultPoint(`after-commit:${point}`);
    this.telemetry.traces?.committed([run], NOTHING_HELD);
    run.acceptTrouble();
  }

  /** Which locks a batch takes depends on the place alone, and their keys on the sagas' data. */
  private batchesAt(place: SagaRun): Batches {
    const locks = locksUntilCall(place);
    return new LockedBatches<SagaRun, undefined>(this.locks, {
      batching: { maxBatch: MAX_BATCH, ...OVERLAP, isShared: isEverybodys },
      maxKeys: MAX_KEYS,
      keysOf: ({ data }) => locks.flatMap(({ keys }) => keys(data)),
      termsOf: (runs) => termsOf(locks.filter(isWantedBy(runs)), this.config.saga.leaseMs),
      whileLocking: (runs) => this.calls.lockAhead(runs),
      work: (batch, held) => this.commit(batch, held),
    });
  }

  private async commit(batch: readonly SagaRun[], held: HeldKeys): Promise<undefined[]> {
    const [first] = batch;
    if (!first) return [];
    const { step, point } = first;
    const started = performance.now() - held.waitedMs;
    let members = batch;
    for (let isOptimistic = true; members.length > 0; isOptimistic = false) {
      try {
        await this.transactions.run(async (tx) => {
          this.telemetry.traces?.mark(tx, members);
          await runStage(tx, members, { ...held, isOptimistic });
          this.persist(tx, members);
          await faultPoint(`before-commit:${point}`);
          held.lease?.assertHeld();
        });
        await faultPoint(`after-commit:${point}`);
        this.telemetry.traces?.committed(members, held);
        for (const run of members) run.accept();
        break;
      } catch (error) {
        if (error instanceof GuardFailedError && isOptimistic) continue;
        if (!(error instanceof SagaFencedError)) throw error;
        const lost = await this.repository.lost(this.transactions, members);
        if (lost.size === 0) throw error;
        members = dropLost(members, lost);
      }
    }
    this.telemetry.metrics.staged(first, step.name, batch.length, performance.now() - started);
    return batch.map(() => undefined);
  }

  private persist(tx: Tx, runs: readonly SagaRun[]): void {
    const stuck = runs.filter((run) => run.state === 'STUCK');
    if (stuck.length > 0) this.outbox.append(tx, stuck.map(stuckEventOf));
    this.repository.persist(tx, runs, this.config.instanceId, this.config.saga.leaseMs);
  }
}

function stuckEventOf({ id: sagaId, subject, definition, failure }: SagaRun) {
  return { type: 'saga.stuck', subject, payload: { sagaId, saga: definition.name, failure } } as const;
}

/** Sagas with a new owner leave the batch. Nothing of theirs was written, because the transaction rolled back. */
function dropLost(members: readonly SagaRun[], lost: ReadonlySet<string>): readonly SagaRun[] {
  for (const run of members) if (lost.has(run.id)) run.lose();
  return members.filter((run) => !run.isLost);
}

function isEverybodys(error: unknown): boolean {
  return isUnavailable(error) || error instanceof LockTimeoutError || error instanceof LockBackendUnavailableError;
}

type Held = Stage & HeldKeys;
type Locks = NonNullable<Action<unknown>['locks']>;

/** The locks that the local actions from the run's place to the next remote call will need. */
export function locksUntilCall({ definition: { steps }, progress: { phase, position } }: SagaRun): readonly Locks[] {
  const locks: Locks[] = [];
  if (phase !== 'execute' && phase !== 'compensate') return locks;
  const sign = phase === 'execute' ? 1 : -1;
  for (let step = steps[position], at = position; step; at += sign, step = steps[at]) {
    const action = step[phase];
    if (action?.kind === 'remote') break;
    if (action?.locks) locks.push(onlyIfNeeded(step, action.locks));
  }
  return locks;
}

function onlyIfNeeded(step: SagaRun['step'], { keys, terms }: Locks): Locks {
  return { terms, keys: (data) => (step.isNeeded?.(data) === false ? [] : keys(data)) };
}

function isWantedBy(runs: readonly SagaRun[]): (locks: Locks) => boolean {
  return ({ keys }) => runs.some(({ data }) => keys(data).length > 0);
}

/**
 * One request takes the keys of all steps up to the next call, so its terms are the strictest that any of those steps
 * declares: nobody waits longer than its own step allows, and no key is kept for less than its step asks for. The lease
 * lasts no longer than the saga's own: it protects one transaction, which ends with its process, and other sagas need
 * its keys. Nobody takes over such a lock of a dead instance, so it has to be free when the sagas are. A call's lock
 * keeps its full lease, because its effect is outside, and is taken over instead.
 */
export function termsOf(locks: readonly Locks[], sagaLeaseMs: number): LockTimes {
  const terms = locks.length > 0 ? locks.map((each) => each.terms) : [{ leaseMs: sagaLeaseMs, waitMs: 0 }];
  return {
    leaseMs: Math.min(sagaLeaseMs, Math.max(...terms.map(({ leaseMs }) => leaseMs))),
    waitMs: Math.min(...terms.map(({ waitMs }) => waitMs)),
    workMs: Math.max(...terms.map(({ workMs = DEFAULT_WORK_MS }) => workMs)),
  };
}

/**
 * One transaction for a batch of sagas: records the answers of calls, then runs local steps, forward for sagas that
 * succeed and backward for those that failed, until each saga needs a call, a lock that is not held, or nothing more.
 */
export async function runStage(tx: Tx, batch: readonly SagaRun[], held: Held): Promise<void> {
  for (const run of batch) run.begin(held.waitedMs);
  const answered = new Set(batch.filter((run) => run.answer !== undefined && run.isCalling));
  for (let isFirst = true; ; isFirst = false) {
    const group = nextGroup(batch, answered, held);
    const [first] = group;
    if (!first) return;
    const started = performance.now();
    const acting = act(tx, group, first.action, held);
    if (isFirst && first.progress.phase === 'execute') prefetch(tx, group, first, held);
    await acting;
    const ms = Math.round(performance.now() - started);
    for (const run of group) {
      answered.delete(run);
      concludeStep(run, ms);
    }
  }
}

/** The queries of later local steps of this transaction share the first step's round trip. */
function prefetch(tx: Tx, group: readonly SagaRun[], { definition, progress }: SagaRun, stage: Stage): void {
  for (const step of definition.steps.slice(progress.position + 1)) {
    if (step.execute.kind === 'remote') return;
    const needing = group.filter(({ data }) => step.isNeeded?.(data) !== false);
    if (needing.length > 0) step.execute.prefetch?.(tx, needing, stage);
  }
}

/**
 * The runs at the same place: a step works on all of them at once. The place that is furthest behind comes first, so that
 * runs which passed over a step wait for those that did not, and the steps behind it see all of them together.
 */
function nextGroup(batch: readonly SagaRun[], answered: ReadonlySet<SagaRun>, held: Held): SagaRun[] {
  const acting = batch.filter((run) => canAct(run, answered, held));
  const [first, ...others] = acting;
  if (!first) return [];
  const last = others.reduce((a, b) => (b.progress.position < a.progress.position ? b : a), first);
  const { phase, position } = last.progress;
  return acting.filter(({ progress }) => progress.phase === phase && progress.position === position);
}

function canAct(run: SagaRun, answered: ReadonlySet<SagaRun>, held: Held): boolean {
  if (run.hasVerdict || run.isAtRest || run.mustCommitPivot) return false;
  if (run.isCalling) return answered.has(run);
  const action = run.action;
  if (action?.kind !== 'local' || !action.locks) return true;
  return action.locks.keys(run.data).every((key) => held.keys.has(key));
}

async function act(
  tx: Tx,
  group: readonly SagaRun[],
  action: Action<unknown> | undefined,
  stage: Stage,
): Promise<void> {
  if (!action) return;
  if (action.kind === 'local') return action.run(tx, group, stage);
  if (!group[0]?.isCalling) return action.prepare?.(tx, group);
  const called: Called<unknown, unknown>[] = group.map((run) => ({ run, result: run.answer?.value }));
  return action.record(tx, called);
}
