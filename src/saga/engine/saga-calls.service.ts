import { Inject, Injectable } from '@nestjs/common';
import { Batcher } from '../../common/batcher.js';
import { Deferred, deferred } from '../../common/deferred.js';
import { messageOf } from '../../common/error-message.js';
import { faultPoint } from '../../common/fault-point.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Lease } from '../../lock/lease.js';
import { LockTimeoutError } from '../../lock/lock-errors.js';
import { LockService } from '../../lock/lock.service.js';
import type { RemoteAction } from '../saga-definition.js';
import { SagaMetrics } from './saga-metrics.js';
import type { SagaRun } from './saga-run.js';
import { CallBounds } from './call-bounds.js';
import { SagaStages } from './saga-stages.service.js';
import { OutcomeUnknownError, SagaFencedError } from '../saga.errors.js';

type Handle = Deferred<undefined>;

/**
 * Remote calls. Sagas that come out of one group commit take their locks together, in one round trip. Then each makes
 * its own call and records its result while the locks are still held, and none waits for a slower one. A saga that was
 * taken over also takes over the locks of its previous owner, which has lost them together with the saga.
 */
@Injectable()
export class SagaCalls {
  private readonly groups = new Map<string, Batcher<SagaRun, Handle>>();

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly locks: LockService,
    private readonly stages: SagaStages,
    private readonly metrics: SagaMetrics,
  ) {}

  /** Calls, or asks about an earlier call, and commits the result together with the local steps behind it. */
  async advance(run: SagaRun): Promise<void> {
    const { place } = run;
    let group = this.groups.get(place);
    if (!group) {
      group = new Batcher((runs) => Promise.resolve(this.launchAll(runs)), { maxBatch: 256, maxInFlight: 1_000 });
      this.groups.set(place, group);
    }
    const { promise } = await group.run(run);
    await promise;
  }

  /**
   * Sagas whose locks were taken together stay together. For the others there is one lock request per previous owner:
   * an heir must not take over locks for a saga of another owner.
   */
  private launchAll(runs: readonly SagaRun[]): Handle[] {
    const handles = new Map<SagaRun, Handle>();
    for (const bond of new Set(runs.map(bondOf))) {
      const group = runs.filter((run) => bondOf(run) === bond);
      this.launch(group).forEach((handle, index) => handles.set(group[index] as SagaRun, handle));
    }
    return runs.map((run) => handles.get(run) as Handle);
  }

  private launch(runs: readonly SagaRun[]): Handle[] {
    const [first] = runs;
    const action = first?.action;
    if (action?.kind !== 'remote') throw new Error('a saga stands at a call without a remote action');
    const handles = runs.map(() => deferred<undefined>());
    const failed: (() => void)[] = [];
    const callAll = (lease?: Lease) => {
      const bounds = new CallBounds(lease, first?.step.timeoutMs ?? 0);
      const calls = runs.map((run, index) =>
        this.call(run, action, bounds).then(
          () => handles[index]?.resolve(undefined),
          // Passed on when the locks are free: a failed saga needs its own lock for the next attempt.
          (error: unknown) => failed.push(() => handles[index]?.reject(error)),
        ),
      );
      return Promise.all(calls).finally(() => bounds.end());
    };
    this.locked(runs, action, callAll).then(
      () => failed.forEach((reject) => reject()),
      (error: unknown) => this.refuse(runs, handles, error),
    );
    return handles;
  }

  private locked(
    runs: readonly SagaRun[],
    { locks }: RemoteAction<unknown>,
    work: (lease?: Lease) => Promise<unknown>,
  ): Promise<unknown> {
    if (!locks) return work();
    const callLock = runs[0]?.callLock;
    if (callLock) return callLock.granted.then(work).finally(() => runs.forEach((run) => run.leaveCallLock()));
    const keys = runs.flatMap((run) => locks.keys(run.data));
    const heirOf = runs[0]?.heirOf;
    return this.locks.withLock(keys, { ...locks.terms, ...(heirOf && { heirOf }) }, (lease) => {
      for (const run of runs) run.setHeirOf(undefined); // the keys are ours now; there is nothing else to take over
      return work(lease);
    });
  }

  /**
   * If another process holds a lock of the group, the group is split, so that only the saga that needs that lock waits.
   */
  private refuse(runs: readonly SagaRun[], handles: readonly Handle[], error: unknown): void {
    if (runs.length === 1 || !(error instanceof LockTimeoutError)) {
      handles.forEach((handle) => handle.reject(error));
      return;
    }
    runs.forEach((run, index) => {
      const [alone] = this.launch([run]);
      alone?.promise.then(
        () => handles[index]?.resolve(undefined),
        (failure: unknown) => handles[index]?.reject(failure),
      );
    });
  }

  private async call(run: SagaRun, action: RemoteAction<unknown>, bounds: CallBounds): Promise<void> {
    const step = run.step.name;
    const started = performance.now();
    try {
      run.takeAnswer(await bounds.within(this.ask(run, action, bounds)));
    } catch (error) {
      if (error instanceof SagaFencedError) throw error;
      this.metrics.called(run, step, 'unknown', performance.now() - started);
      throw error instanceof OutcomeUnknownError ? error : new OutcomeUnknownError(messageOf(error), { cause: error });
    }
    this.metrics.called(run, step, 'answered', performance.now() - started);
    await this.stages.advance(run);
  }

  private async ask(run: SagaRun, action: RemoteAction<unknown>, { lease, signal }: CallBounds): Promise<unknown> {
    await faultPoint(`before-call:${run.point}`);
    const known = run.isInDoubt ? await action.resolve(run, { signal }) : undefined;
    // Checks the clock at the last moment, because after a pause of the process the timers have not fired yet.
    if (run.isNew || !run.isLeased(this.config.saga.leaseMs)) throw new SagaFencedError();
    lease?.assertHeld();
    signal.throwIfAborted();
    run.setInDoubt(known === undefined);
    const value = known ?? (await action.call(run, { signal }));
    await faultPoint(`after-call:${run.point}`);
    return value;
  }
}

function bondOf({ callLock, heirOf }: SagaRun): unknown {
  return callLock ?? heirOf;
}
