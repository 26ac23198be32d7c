import { BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { backoffMs, sleep } from '../../common/backoff.js';
import { deferred } from '../../common/deferred.js';
import { DomainError } from '../../common/domain-error.js';
import { messageOf } from '../../common/error-message.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { isConstraintViolation, isUnavailable } from '../../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { type RequestTrace, traceIdOf } from '../../platform/tracing/traced-requests.js';
import { FencedOutError, LeaseLostError } from '../../lock/lock-errors.js';
import { SagaCalls } from './saga-calls.service.js';
import type { SagaDefinition } from '../saga-definition.js';
import { SagaTelemetry } from './saga-telemetry.js';
import { countFailure, stick } from './saga-moves.js';
import { SagaProgress, SagaRun } from './saga-run.js';
import { SagaStages } from './saga-stages.service.js';
import { SagaRegistry } from '../saga-registry.js';
import { SagaClaimRepository } from '../saga-claim.repository.js';
import { OutcomeUnknownError, SagaFencedError, SagaHandedOverError } from '../saga.errors.js';

/** A saga that was started here, as its starter sees it. */
export interface SagaTicket<D> {
  readonly run: SagaRun<D>;
  /** The saga exists: its first transaction has committed. Rejects if it does not. */
  readonly started: Promise<undefined>;
  /** It ended, waits or is stuck. Rejects with SagaHandedOverError if another instance continues it. */
  readonly rested: Promise<void>;
}

@Injectable()
export class SagaEngine implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SagaEngine.name);
  private readonly active = new Map<string, SagaRun>();
  private readonly stopping = new AbortController();

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly claims: SagaClaimRepository,
    private readonly stages: SagaStages,
    private readonly calls: SagaCalls,
    private readonly telemetry: SagaTelemetry,
    private readonly registry: SagaRegistry,
  ) {
    telemetry.metrics.watch(() => ({ inFlight: this.active.size, limit: config.saga.maxInFlight }));
  }

  get activeRuns(): readonly SagaRun[] {
    return [...this.active.values()];
  }

  get capacity(): number {
    return this.stopping.signal.aborted ? 0 : Math.max(0, this.config.saga.maxInFlight - this.active.size);
  }

  /** By the newest version of the definition that is registered. */
  start<D extends object>(
    definition: SagaDefinition<D>,
    saga: { id: string; subject: string; data: D; requestId?: string; trace?: RequestTrace | undefined },
  ): SagaTicket<D> {
    if (this.capacity === 0) {
      throw new DomainError('DEPENDENCY_UNAVAILABLE', 'The service is at its limit, try again shortly', {
        retryAfter: 1,
      });
    }
    const progress: SagaProgress<D> = {
      state: 'RUNNING',
      position: 0,
      phase: 'execute',
      data: saga.data,
      changes: {},
      log: [],
      failure: null,
      outcome: null,
      attempts: 0,
    };
    const newest = this.registry.newest(definition);
    const trace = this.telemetry.traces?.begin(saga.trace);
    const run = new SagaRun<D>(saga.id, newest, saga.subject, 1, progress, 'new', saga.requestId, trace);
    const started = deferred<undefined>();
    started.promise.catch(() => undefined); // waiters also await `rested`
    const rested = this.drive(run as SagaRun, () => started.resolve(undefined));
    rested.then(
      () => started.resolve(undefined),
      (error: unknown) => {
        this.noteFailure(run as SagaRun, error);
        started.reject(error);
      },
    );
    return { run, started: started.promise, rested };
  }

  /** Continues sagas that were claimed from another owner, or after their wait. */
  resume(run: SagaRun): void {
    this.telemetry.resumed(run);
    this.drive(run, () => undefined).catch((error: unknown) => this.noteFailure(run, error));
  }

  /** Leaves a saga to an operator without running any of it. */
  putAside(run: SagaRun, reason: string): void {
    run.setDriver(this.config.instanceId);
    const stored = this.stages.commitAlone(run, () => {
      stick(run, reason);
      return Promise.resolve();
    });
    stored.then(
      () => this.finish(run),
      (error: unknown) => this.noteFailure(run, error),
    );
  }

  /**
   * Claims nothing new, waits for running sagas within the grace period, and hands the rest over to other instances.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    const deadline = performance.now() + this.config.http.shutdownGraceMs;
    while (this.active.size > 0 && performance.now() < deadline) await sleep(20);
    const left = this.activeRuns.filter((run) => !run.isNew);
    if (left.length === 0) return;
    this.logger.log(`handing over ${left.length} saga(s) that did not come to rest in time`);
    await this.handOver(left);
  }

  private async handOver(runs: readonly SagaRun[]): Promise<void> {
    for (const run of runs) run.lose();
    await this.transactions.run((tx) => this.claims.handOver(tx, runs));
  }

  private async drive(run: SagaRun, onStarted: () => void): Promise<void> {
    const replaced = this.active.get(run.id);
    replaced?.lose();
    this.active.set(run.id, run);
    run.setDriver(this.config.instanceId);
    try {
      while (!run.isAtRest) {
        await this.advance(run);
        if (run.isLost) throw new SagaHandedOverError(run.id);
        if (run.verdict?.kind === 'abandoned') throw run.verdict.error;
        if (!run.isNew) onStarted();
      }
      this.finish(run);
    } finally {
      run.leaveCallLock();
      if (this.active.get(run.id) === run) this.active.delete(run.id);
    }
  }

  private async advance(run: SagaRun): Promise<void> {
    try {
      // A process that was paused beyond its lease must check its ownership before it calls anybody.
      if (!run.isLeased(this.config.saga.leaseMs)) throw new SagaFencedError();
      if (run.isCalling) await this.calls.make(run, () => this.stages.advance(run));
      else await this.stages.advance(run);
      if (run.progress.attempts > 0 && !run.isAtRest) await this.pause(run);
    } catch (error) {
      if (run.isNew) return this.startOver(run, error);
      if (run.isLost || error instanceof SagaFencedError || isDatabaseAway(error))
        throw new SagaHandedOverError(run.id, { cause: error });
      await this.recordTrouble(run, error);
    }
  }

  /**
   * Nothing of a new saga is stored. After a lost lock it is simply tried again; any other error goes to its starter.
   */
  private async startOver(run: SagaRun, error: unknown): Promise<void> {
    run.failStart();
    const isWorthIt = error instanceof LeaseLostError || error instanceof FencedOutError;
    if (!isWorthIt || run.failedStarts >= run.retryPolicy.maxAttempts || this.stopping.signal.aborted) throw error;
    await sleep(this.backoffOf(run, run.failedStarts), this.stopping.signal);
  }

  /** A failed attempt is stored before the next one, so that the policy holds across crashes and instances. */
  private async recordTrouble(run: SagaRun, error: unknown): Promise<void> {
    const isPermanent = isConstraintViolation(error);
    run.begin(); // back to where it stands in the database
    this.logger.warn({ ...namesOf(run), phase: run.progress.phase, msg: `a step failed: ${messageOf(error)}` });
    try {
      await this.stages.commitAlone(run, async (tx) => {
        const { action } = run;
        if (run.isInDoubt && action?.kind === 'remote') await action.doubt?.(tx, [run]);
        countFailure(run, error, isPermanent);
      });
    } catch (failure) {
      throw new SagaHandedOverError(run.id, { cause: failure });
    }
    if (!run.isAtRest) await this.pause(run);
  }

  /**
   * A stopping instance hands the next attempt over: without the pauses between attempts the policy would be used up.
   */
  private async pause(run: SagaRun): Promise<void> {
    await sleep(this.backoffOf(run, Math.max(1, run.progress.attempts)), this.stopping.signal);
    if (this.stopping.signal.aborted) await this.handOver([run]);
  }

  private backoffOf(run: SagaRun, attempt: number): number {
    return backoffMs(run.retryPolicy, attempt) * this.config.saga.backoffFactor;
  }

  /** An unexpected error is logged even if its waiter has left. The saga comes back when its lease ends. */
  private noteFailure(run: SagaRun, error: unknown): void {
    if (run.isNew || run.verdict?.kind === 'abandoned' || error instanceof SagaHandedOverError) return;
    this.logger.error({ ...namesOf(run), err: error, msg: 'a saga stopped unexpectedly' });
  }

  /** The saga rests. If it has ended, a mistake in counting it must not become its answer. */
  private finish(run: SagaRun): void {
    this.telemetry.rested(run);
    if (run.state === 'STUCK')
      this.logger.error({ ...namesOf(run), failure: run.failure, msg: 'saga is STUCK and waits for an operator' });
    try {
      if (run.isEnded) run.definition.onEnded?.(run.stored);
    } catch (error) {
      this.logger.error({ ...namesOf(run), err: error, msg: 'an ended saga could not be counted' });
    }
  }
}

/** The members of a log line about a saga. */
function namesOf({ id, definition, step, requestId, trace }: SagaRun) {
  const request = { ...(requestId !== undefined && { requestId }), ...traceIdOf(trace) };
  return { sagaId: id, saga: definition.name, step: step.name, ...request };
}

/** A connection error of the call's other side says nothing about our database. */
function isDatabaseAway(error: unknown): boolean {
  return !(error instanceof OutcomeUnknownError) && isUnavailable(error);
}
