import { Inject, Injectable, Logger } from '@nestjs/common';
import { DomainError, type ErrorCode } from '../../common/domain-error.js';
import { messageOf } from '../../common/error-message.js';
import { faultPoint } from '../../common/fault-point.js';
import { AuditTrail } from '../../platform/audit-trail/audit-trail.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import type { Loop } from '../../platform/loops/loop.js';
import { Loops } from '../../platform/loops/loops.js';
import { isUnavailable } from '../../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { BulkRunRepository, type DrivenRun, type TakenItem } from './bulk-run.repository.js';
import { BULK_TARGETS, type BulkTarget } from './bulk-target.js';

export const BULK_FAULT_POINTS = ['after-item:bulk-run'] as const;
const [AFTER_ITEM] = BULK_FAULT_POINTS;

/** How soon after its lease the run of a lost instance is noticed. */
const LOOK_MS = 5_000;
const MAX_RUNS = 10;
const MAX_ATTEMPTS = 5;
const RETRY_MS = 1_000;
/** After so many failures in a row, the cause is likely the same for all items, and the run stops. */
const MAX_FAILURES_IN_A_ROW = 10;
const MAX_RESULT_CHARS = 500;
const DAY_SECONDS = 86_400;
const PURGE_BATCH = 100;
/** Transient errors: the same item is tried again. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'DEPENDENCY_UNAVAILABLE',
  'LOCK_TIMEOUT',
  'IDEMPOTENCY_IN_PROGRESS',
]);

interface Active extends DrivenRun {
  /** By the monotonic clock. */
  nextAt: number;
  attempts: number;
  failuresInARow: number;
}

/**
 * Drives bulk runs, each under a lease with an epoch: if this instance dies, another one continues with the next item.
 * Whether the verb of an item that was begun took effect is unknown, so it is applied again. The audit trail, or the
 * Idempotency-Key of the command, ensures that it takes effect once.
 */
@Injectable()
export class BulkRunJob {
  private readonly logger = new Logger(BulkRunJob.name);
  private readonly loop: Loop;
  private readonly active = new Map<string, Active>();
  private lookAt = 0;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(BULK_TARGETS) private readonly targets: readonly BulkTarget[],
    private readonly transactions: TransactionRunner,
    private readonly runs: BulkRunRepository,
    private readonly trail: AuditTrail,
    loops: Loops,
  ) {
    this.loop = loops.schedule({
      name: 'bulk-runs',
      pace: { minMs: 0, maxMs: LOOK_MS },
      round: (signal) => this.round(signal),
    });
    loops.schedulePurge({
      name: 'bulk-run-purge',
      batch: PURGE_BATCH,
      purge: () => this.runs.purge(this.transactions, config.retention.history * DAY_SECONDS, PURGE_BATCH),
    });
  }

  /** A run was started on this instance: it begins at once. */
  wake(): void {
    this.lookAt = 0;
    this.loop.wake();
  }

  /** Processes one item of every run that is due. Returns the time until the next run is due. */
  private async round(signal: AbortSignal): Promise<number> {
    if (performance.now() >= this.lookAt) await this.look();
    for (const run of [...this.active.values()]) {
      if (signal.aborted) break;
      if (run.nextAt <= performance.now()) await this.advance(run);
    }
    const next = Math.min(this.lookAt, ...[...this.active.values()].map(({ nextAt }) => nextAt));
    return Math.max(0, next - performance.now());
  }

  private async look(): Promise<void> {
    const { instanceId, saga } = this.config;
    const claimed = await this.runs.claim(this.transactions, instanceId, saga.leaseMs, MAX_RUNS);
    for (const run of claimed)
      this.active.set(run.id, { ...run, nextAt: performance.now(), attempts: 0, failuresInARow: 0 });
    this.lookAt = performance.now() + LOOK_MS;
  }

  private async advance(run: Active): Promise<void> {
    const startedAt = performance.now();
    const item = await this.runs.take(this.transactions, run, this.config.saga.leaseMs);
    if (item === 'lost') {
      this.active.delete(run.id);
    } else if (item === 'none') {
      await this.runs.move(this.transactions, run.id, 'COMPLETED', { epoch: run.epoch });
      this.active.delete(run.id);
    } else {
      run.nextAt = startedAt + 1_000 / run.perSecond;
      await this.process(run, item);
    }
  }

  private async process(run: Active, item: TakenItem): Promise<void> {
    const { id: runId, action, actor, reason } = run;
    const target = this.targets.find(({ actions }) => actions.includes(action));
    if (!target) throw new Error(`nothing does ${action}`);
    try {
      const result = await target.act(action, item, { actor, reason, runId });
      await faultPoint(AFTER_ITEM);
      await this.finish(run, item, 'DONE', result);
    } catch (error) {
      if (await this.trail.hasActed(this.transactions, runId, item.subject))
        await this.finish(run, item, 'DONE', 'done before an instance was lost');
      else if (error instanceof DomainError && !TRANSIENT.has(error.code))
        await this.finish(run, item, 'REFUSED', error.message);
      else await this.tryAgain(run, item, error);
    }
  }

  /** While the database is away, attempts do not count against the item: the loop returns to it later. */
  private async tryAgain(run: Active, item: TakenItem, error: unknown): Promise<void> {
    if (isUnavailable(error)) throw error;
    run.attempts += 1;
    run.nextAt = performance.now() + RETRY_MS;
    if (run.attempts < MAX_ATTEMPTS) return;
    this.logger.error({ msg: 'an item of a bulk run failed', runId: run.id, subject: item.subject, err: error });
    await this.finish(run, item, 'FAILED', messageOf(error));
    run.failuresInARow += 1;
    if (run.failuresInARow < MAX_FAILURES_IN_A_ROW) return;
    const stopReason = `${MAX_FAILURES_IN_A_ROW} failures in a row: ${messageOf(error)}`.slice(0, MAX_RESULT_CHARS);
    await this.runs.move(this.transactions, run.id, 'STOPPED', { epoch: run.epoch, stopReason });
    this.active.delete(run.id);
  }

  private async finish(run: Active, item: TakenItem, state: 'DONE' | 'REFUSED' | 'FAILED', result: string) {
    await this.runs.finish(this.transactions, run, item.position, state, result.slice(0, MAX_RESULT_CHARS));
    run.attempts = 0;
    if (state !== 'FAILED') run.failuresInARow = 0;
  }
}
