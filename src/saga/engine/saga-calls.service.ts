import { Inject, Injectable } from '@nestjs/common';
import { untilAborted } from '../../common/deadline.js';
import { messageOf } from '../../common/error-message.js';
import { faultPoint } from '../../common/fault-point.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { unboundLease } from '../../lock/lock-hold.js';
import type { Lease } from '../../lock/lease.js';
import { LockTimeoutError } from '../../lock/lock-errors.js';
import { LockService } from '../../lock/lock.service.js';
import type { RemoteAction } from '../saga-definition.js';
import { OutcomeUnknownError, SagaFencedError } from '../saga.errors.js';
import type { SagaRun } from './saga-run.js';
import { SagaTelemetry } from './saga-telemetry.js';
import { deferred } from '../../common/deferred.js';

/** Remote calls, each under the lock that its step declares and outside any transaction. */
@Injectable()
export class SagaCalls {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly locks: LockService,
    private readonly telemetry: SagaTelemetry,
  ) {}

  /**
   * Asks for the locks of the first calls of new sagas behind those of the transaction before, in the same command of the
   * store; otherwise every checkout would wait for one more round trip. A key that both need passes from one to the other. A
   * saga that was taken over locks for itself, because it may have to take over the locks of its previous owner.
   */
  lockAhead(runs: readonly SagaRun[]): void {
    const beginning = runs.filter((run) => run.isNew && !run.callLock);
    const action = beginning[0] && firstCallOf(beginning[0]);
    if (action)
      this.lock(
        beginning.filter((run) => firstCallOf(run) === action),
        action,
      );
  }

  /** Calls, or asks about an earlier call, and records the answer while the lock is still held. */
  async make(run: SagaRun, record: () => Promise<unknown>): Promise<void> {
    const action = run.remoteAction;
    const askedAt = performance.now();
    if (run.callLock?.action !== action) run.leaveCallLock();
    const ahead = run.callLock;
    let lock = ahead ?? this.lock([run], action);
    try {
      const lease = await lock.granted.catch((error: unknown) => {
        // Another process may hold the key of one member, or the time was spent before the transaction.
        if (!ahead || !(error instanceof LockTimeoutError)) throw error;
        lock = this.lock([run], action);
        return lock.granted;
      });
      this.telemetry.traces?.lockedForCall(run, action, askedAt);
      run.setHeirOf(undefined); // the keys are ours now; there is nothing else to take over
      await this.call(run, action, lock.boundsOf(lease, run.step.timeoutMs));
      await record();
    } catch (error) {
      run.leaveCallLock();
      await lock.released; // the next attempt needs the lock for itself
      throw error;
    }
    run.leaveCallLock();
  }

  private lock(runs: readonly SagaRun[], action: RemoteAction<unknown>): CallLock {
    const { locks } = action;
    const keys = runs.flatMap((run) => locks?.keys(run.data) ?? []);
    const heirOf = runs[0]?.heirOf;
    const lock = new CallLock(action, runs, (work) =>
      locks ? this.locks.withLock(keys, { ...locks.terms, ...(heirOf && { heirOf }) }, work) : work(unboundLease()),
    );
    for (const run of runs) run.joinCallLock(lock);
    return lock;
  }

  private async call(run: SagaRun, action: RemoteAction<unknown>, bounds: CallBounds): Promise<void> {
    const step = run.step.name;
    const started = performance.now();
    try {
      const value = await untilAborted(bounds.signal, this.ask(run, action, bounds), noAnswer);
      run.takeAnswer(value, performance.now() - started);
    } catch (error) {
      if (error instanceof SagaFencedError) throw error;
      this.telemetry.called(run, step, 'unknown', performance.now() - started);
      throw error instanceof OutcomeUnknownError ? error : new OutcomeUnknownError(messageOf(error), { cause: error });
    }
    this.telemetry.called(run, step, 'answered', performance.now() - started);
  }

  private async ask(run: SagaRun, action: RemoteAction<unknown>, { lease, signal }: CallBounds): Promise<unknown> {
    await faultPoint(`before-call:${run.point}`);
    const known = run.isInDoubt ? await action.resolve(run, { signal }) : undefined;
    // Checks the clock at the last moment, because after a pause of the process the timers have not fired yet.
    if (run.isNew || !run.isLeased(this.config.saga.leaseMs)) throw new SagaFencedError();
    lease.assertHeld();
    signal.throwIfAborted();
    run.setInDoubt(known === undefined);
    const value = known ?? (await action.call(run, { signal }));
    await faultPoint(`after-call:${run.point}`);
    return value;
  }
}

function firstCallOf({ definition, data }: SagaRun): RemoteAction<unknown> | undefined {
  const step = definition.steps.find(
    ({ execute, isNeeded }) => execute.kind === 'remote' && isNeeded?.(data) !== false,
  );
  return step?.execute.kind === 'remote' ? step.execute : undefined;
}

function noAnswer(): OutcomeUnknownError {
  return new OutcomeUnknownError('no answer in time');
}

/** What a call may use: its lock, and a signal that ends it. */
export interface CallBounds {
  readonly lease: Lease;
  /** Aborts at the step's timeout or when the lease ends, whichever comes first. */
  readonly signal: AbortSignal;
}

/**
 * The locks of the next calls of some sagas, taken together and kept until each of them has left: after its call was
 * recorded, or because it makes none.
 */
export class CallLock {
  /** Resolves when the locks are held. */
  readonly granted: Promise<Lease>;
  /** Resolves when nobody holds them any more. */
  readonly released: Promise<void>;
  private readonly members: Set<object>;
  private readonly over = deferred<undefined>();
  private bounds: CallBounds | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly action: RemoteAction<unknown>,
    members: readonly object[],
    withLock: (work: (lease: Lease) => Promise<unknown>) => Promise<unknown>,
  ) {
    this.members = new Set(members);
    const granted = deferred<Lease>();
    granted.promise.catch(() => undefined); // whoever calls gets it
    this.granted = granted.promise;
    this.released = withLock((lease) => {
      granted.resolve(lease);
      return this.over.promise;
    }).then(() => undefined, granted.reject);
  }

  /**
   * The bounds of all calls under this lock: the time runs from the first call. Not by AbortSignal.timeout, whose timer
   * would fire for every group, long after its calls were answered.
   */
  boundsOf(lease: Lease, timeoutMs: number): CallBounds {
    if (this.bounds) return this.bounds;
    const controller = new AbortController();
    const expire = (): void => controller.abort();
    this.timer = setTimeout(expire, timeoutMs);
    if (lease.signal.aborted) expire();
    else lease.signal.addEventListener('abort', expire, { once: true });
    this.bounds = { lease, signal: controller.signal };
    return this.bounds;
  }

  leave(member: object): void {
    if (!this.members.delete(member) || this.members.size > 0) return;
    clearTimeout(this.timer);
    this.over.resolve(undefined);
  }
}
