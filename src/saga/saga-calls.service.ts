import { Injectable } from '@nestjs/common';
import { Batcher } from '../common/batcher.js';
import { deferred } from '../common/deferred.js';
import { faultPoint } from '../common/fault-point.js';
import { messageOf } from '../common/error-message.js';
import type { Lease } from '../lock/lease.js';
import { LockService } from '../lock/lock.service.js';
import type { RemoteAction } from './saga-definition.js';
import { SagaMetrics } from './saga-metrics.js';
import type { SagaRun } from './saga-run.js';
import { nextAction } from './saga-stage.js';
import { SagaStages } from './saga-stages.service.js';
import { OutcomeUnknownError } from './saga.errors.js';

interface Handle {
  readonly done: Promise<undefined>;
}

/**
 * Remote calls. Sagas that come out of one group commit take their locks together, in one round trip; then each calls
 * for itself and records its result while the locks are still held, and none waits for a slower one.
 */
@Injectable()
export class SagaCalls {
  private readonly groups = new Map<string, Batcher<SagaRun, Handle>>();

  constructor(
    private readonly locks: LockService,
    private readonly stages: SagaStages,
    private readonly metrics: SagaMetrics,
  ) {}

  /** Calls, or asks what became of an earlier call, and commits the result with the local steps behind it. */
  async advance(run: SagaRun): Promise<void> {
    const { phase, position } = run.progress;
    const place = `${run.definition.name}@${run.definition.version}/${phase}/${position}`;
    let group = this.groups.get(place);
    if (!group) {
      group = new Batcher((runs) => Promise.resolve(this.launch(runs)), { maxBatch: 256, maxInFlight: 1_000 });
      this.groups.set(place, group);
    }
    const { done } = await group.run(run);
    await done;
  }

  private launch(runs: readonly SagaRun[]): Handle[] {
    const [first] = runs;
    const action = first && nextAction(first);
    if (action?.kind !== 'remote') throw new Error('a saga stands at a call without a remote action');
    const handles = runs.map(() => deferred<undefined>());
    const callAll = (lease?: Lease) => {
      const timeout = AbortSignal.timeout(first?.step.timeoutMs ?? 0);
      const signal = lease ? AbortSignal.any([lease.signal, timeout]) : timeout;
      return Promise.all(
        runs.map((run, index) =>
          this.call(run, action, signal).then(() => handles[index]?.resolve(undefined), handles[index]?.reject),
        ),
      );
    };
    const { locks } = action;
    const work = locks
      ? this.locks.withLock(
          runs.flatMap((run) => locks.keys(run.data)),
          locks.terms,
          callAll,
        )
      : callAll();
    work.catch((error: unknown) => handles.forEach((handle) => handle.reject(error)));
    return handles.map((handle) => ({ done: handle.promise }));
  }

  private async call(run: SagaRun, action: RemoteAction<unknown>, signal: AbortSignal): Promise<void> {
    const step = run.step.name;
    const started = performance.now();
    try {
      await faultPoint(`before-call:${step}:${run.progress.phase}`);
      const known = run.isInDoubt ? await action.resolve(run, { signal }) : undefined;
      run.isInDoubt = known === undefined;
      const value = known ?? (await action.call(run, { signal }));
      await faultPoint(`after-call:${step}:${run.progress.phase}`);
      run.result = { value };
    } catch (error) {
      this.metrics.called(run, step, 'unknown', performance.now() - started);
      throw error instanceof OutcomeUnknownError ? error : new OutcomeUnknownError(messageOf(error), { cause: error });
    }
    this.metrics.called(run, step, 'answered', performance.now() - started);
    await this.stages.advance(run);
  }
}
