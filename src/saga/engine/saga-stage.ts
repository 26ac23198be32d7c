import type { Tx } from '../../platform/postgres/tx.js';
import type { LockTimes } from '../../lock/lock-keys.js';
import { DEFAULT_WORK_MS } from '../../lock/lock-request.js';
import type { Action, Called, Stage } from '../saga-definition.js';
import { concludeStep } from './saga-moves.js';
import type { SagaRun } from './saga-run.js';

export interface Held extends Stage {
  readonly keys: ReadonlySet<string>;
}

type Locks = NonNullable<Action<unknown>['locks']>;

/** The locks that the local actions from here to the next remote call will need. */
function locksUntilCall(run: SagaRun): readonly Locks[] {
  const locks: Locks[] = [];
  if (run.isCalling) return locks;
  const { steps } = run.definition;
  const isForward = run.progress.phase === 'execute';
  for (let index = run.progress.position; index >= 0 && index < steps.length; index += isForward ? 1 : -1) {
    const action = isForward ? steps[index]?.execute : steps[index]?.compensate;
    if (action?.kind === 'remote') break;
    if (action?.locks) locks.push(action.locks);
  }
  return locks;
}

export function keysUntilCall(run: SagaRun): readonly string[] {
  const keys: string[] = [];
  for (const locks of locksUntilCall(run)) keys.push(...locks.keys(run.data));
  return keys;
}

/**
 * The lock terms of a batch, from any of its members, which are all at the same place. One request takes the keys of
 * all steps up to the next call, so its terms are the strictest that any of those steps declares: nobody waits longer
 * than its own step allows, and no key is kept for less than its step asks for. The lease lasts no longer than the
 * saga's own: it protects one transaction, which ends with its process, and other sagas need its keys. Nobody takes
 * over such a lock of a dead instance, so it has to be free when the sagas are. A call's lock keeps its full lease,
 * because its effect is outside, and is taken over instead.
 */
export function termsUntilCall(run: SagaRun, sagaLeaseMs: number): LockTimes {
  const terms = locksUntilCall(run).map((locks) => locks.terms);
  if (terms.length === 0) throw new Error(`saga ${run.definition.name} asks for locks without terms`);
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
  for (const run of batch) run.begin();
  const answered = new Set(batch.filter((run) => run.answer !== undefined && run.isCalling));
  for (let isFirst = true; ; isFirst = false) {
    const group = nextGroup(batch, answered, held);
    const [first] = group;
    if (!first) return;
    const started = performance.now();
    const acting = act(tx, group, first.action, held);
    if (isFirst) prefetch(tx, group, held);
    await acting;
    const ms = Math.round(performance.now() - started);
    for (const run of group) {
      answered.delete(run);
      concludeStep(run, ms);
    }
  }
}

/** The queries of later local steps of this transaction share the first step's round trip. */
function prefetch(tx: Tx, group: readonly SagaRun[], stage: Stage): void {
  const [first] = group;
  if (!first?.isForward || first.isCalling) return;
  for (const { execute } of first.definition.steps.slice(first.progress.position + 1)) {
    if (execute.kind === 'remote') return;
    execute.prefetch?.(tx, group, stage);
  }
}

/** The runs at the same place: a step works on all of them at once. */
function nextGroup(batch: readonly SagaRun[], answered: ReadonlySet<SagaRun>, held: Held): SagaRun[] {
  const first = batch.find((run) => canAct(run, answered, held));
  if (!first) return [];
  const { phase, position } = first.progress;
  return batch.filter(
    (run) => run.progress.phase === phase && run.progress.position === position && canAct(run, answered, held),
  );
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
  const [first] = group;
  if (!first || !action) return;
  if (action.kind === 'local') return action.run(tx, group, stage);
  if (!first.isCalling) return action.prepare?.(tx, group);
  const called: Called<unknown, unknown>[] = group.map((run) => ({ run, result: run.answer?.value }));
  return action.record(tx, called);
}
