import type { Tx } from '../../platform/postgres/tx.js';
import type { LockTimes } from '../../lock/lock-keys.js';
import type { Action, Called, Stage } from '../saga-definition.js';
import { concludeStep } from './saga-moves.js';
import type { SagaRun } from './saga-run.js';

export interface Held extends Stage {
  readonly keys: ReadonlySet<string>;
}

/**
 * The lock of a local stage lasts no longer than the saga's own lease. It protects one transaction of ours, which ends
 * with its process, and its keys are everybody's: what a dead instance had locked nobody takes over, so it is to be free
 * when the sagas are. A call's lock keeps its full lease, as its effect is outside, and is taken over instead.
 */
export function withinLease(terms: LockTimes, leaseMs: number): LockTimes {
  return terms.leaseMs <= leaseMs ? terms : { ...terms, leaseMs };
}

/** The keys that the local actions from here to the next remote call will need. */
export function keysUntilCall(run: SagaRun): readonly string[] {
  if (run.isCalling) return [];
  const { position, phase } = run.progress;
  const { steps } = run.definition;
  const coming = phase === 'execute' ? steps.slice(position) : steps.slice(0, position + 1).reverse();
  const keys: string[] = [];
  for (const step of coming) {
    const action = phase === 'execute' ? step.execute : step.compensate;
    if (action?.kind === 'remote') break;
    if (action?.locks) keys.push(...action.locks.keys(run.data));
  }
  return keys;
}

/**
 * One transaction for a batch of sagas: records what the other side said, then runs local steps, forward for those that
 * go well and backward for those that failed, until each saga needs a call, a lock that is not held, or nothing more.
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

/** What the later local steps of this transaction will ask for travels with what the first one asks for. */
function prefetch(tx: Tx, group: readonly SagaRun[], stage: Stage): void {
  const [first] = group;
  if (!first?.isForward || first.isCalling) return;
  for (const { execute } of first.definition.steps.slice(first.progress.position + 1)) {
    if (execute.kind === 'remote') return;
    execute.prefetch?.(tx, group, stage);
  }
}

/** Runs that stand at the same place: a step works on all of them at once. */
function nextGroup(batch: readonly SagaRun[], answered: ReadonlySet<SagaRun>, held: Held): SagaRun[] {
  const first = batch.find((run) => canAct(run, answered, held));
  if (!first) return [];
  const { phase, position } = first.progress;
  return batch.filter(
    (run) => run.progress.phase === phase && run.progress.position === position && canAct(run, answered, held),
  );
}

function canAct(run: SagaRun, answered: ReadonlySet<SagaRun>, held: Held): boolean {
  if (run.hasVerdict || run.isAtRest) return false;
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
