import { Inject, Injectable } from '@nestjs/common';
import { faultPoint } from '../../common/fault-point.js';
import { APP_CONFIG, type AppConfig } from '../../platform/config/app-config.js';
import { isUnavailable } from '../../platform/postgres/sqlstate.js';
import { TransactionRunner } from '../../platform/postgres/transaction-runner.js';
import { GuardFailedError, type Tx } from '../../platform/postgres/tx.js';
import { OutboxRepository } from '../../platform/outbox/outbox.repository.js';
import { LockBackendUnavailableError, LockTimeoutError } from '../../lock/lock-errors.js';
import { LockService } from '../../lock/lock.service.js';
import { type HeldKeys, LockedBatches } from '../../lock/locked-batches.js';
import { CallLock } from './call-lock.js';
import { SagaMetrics } from './saga-metrics.js';
import type { SagaRun } from './saga-run.js';
import { keysUntilCall, runStage, termsUntilCall } from './saga-stage.js';
import { SagaRepository } from '../saga.repository.js';
import { SagaFencedError } from '../saga.errors.js';

/** Larger batches only lengthen the wait of their members; see bench/ for the measurement. */
const MAX_BATCH = 128;
/**
 * A second batch starts beside one under way only if it is large, or if that one is slow, for example because it waits
 * for a lock: at 64 buyers, smaller batches cost a sixth more of the processor and hid nothing (ADR 4).
 */
const OVERLAP = { maxInFlight: 2, overlapFrom: 32, patienceMs: 25 };
/** Orders with many lines make smaller batches: a lock takes its keys in one script. */
const MAX_KEYS = 1_000;

/** Group commit: sagas that wait at the same place share one set of locks, one transaction and one commit. */
@Injectable()
export class SagaStages {
  private readonly places = new Map<string, LockedBatches<SagaRun, undefined>>();

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly locks: LockService,
    private readonly repository: SagaRepository,
    private readonly outbox: OutboxRepository,
    private readonly metrics: SagaMetrics,
  ) {}

  /** Runs the next local part of this saga, together with all others at the same place. */
  advance(run: SagaRun): Promise<undefined> {
    const { place } = run;
    let batches = this.places.get(place);
    if (!batches) {
      batches = new LockedBatches<SagaRun, undefined>(this.locks, {
        batching: { maxBatch: MAX_BATCH, ...OVERLAP, isShared: isEverybodys },
        maxKeys: MAX_KEYS,
        keysOf: keysUntilCall,
        termsOf: ([first = run]) => termsUntilCall(first, this.config.saga.leaseMs),
        work: (batch, held) => this.runBatch(batch, held),
      });
      this.places.set(place, batches);
    }
    return batches.run(run);
  }

  /** A transaction for one saga outside the batches, for recording a failure. */
  async commitAlone(run: SagaRun, work: (tx: Tx) => Promise<void>): Promise<void> {
    const point = `${run.point}:trouble`;
    await this.transactions.run(async (tx) => {
      run.begin();
      await work(tx);
      this.persist(tx, [run]);
      await faultPoint(`before-commit:${point}`);
    });
    await faultPoint(`after-commit:${point}`);
    run.acceptTrouble();
  }

  private async runBatch(batch: readonly SagaRun[], held: HeldKeys): Promise<undefined[]> {
    const [first] = batch;
    if (!first) return [];
    const started = performance.now() - held.waitedMs;
    const step = first.step.name;
    for (const run of batch) run.setLockWait(held.waitedMs);
    await this.commit(batch, held);
    this.metrics.staged(first, step, batch.length, performance.now() - started);
    return batch.map(() => undefined);
  }

  private async commit(batch: readonly SagaRun[], { lease, keys }: HeldKeys): Promise<void> {
    const point = batch[0]?.point;
    let members = batch;
    for (let isOptimistic = true; ; isOptimistic = false) {
      try {
        await this.transactions.run(async (tx) => {
          await runStage(tx, members, { lease, keys, isOptimistic });
          this.persist(tx, members);
          this.lockNextCalls(members);
          await faultPoint(`before-commit:${point}`);
          lease?.assertHeld();
        });
        await faultPoint(`after-commit:${point}`);
        for (const run of members) run.accept();
        return;
      } catch (error) {
        if (error instanceof GuardFailedError && isOptimistic) continue;
        if (!(error instanceof SagaFencedError)) throw error;
        const lost = await this.repository.lost(this.transactions, members);
        if (lost.size === 0) throw error;
        members = dropLost(members, lost);
        if (members.length === 0) return;
      }
    }
  }

  /** For new sagas only: one that was taken over may have to inherit locks, see SagaCalls. */
  private lockNextCalls(runs: readonly SagaRun[]): void {
    const calling = runs.filter((run) => run.isNew && run.isCalling);
    const action = calling[0]?.action;
    if (action?.kind !== 'remote' || !action.locks) return;
    const { keys, terms } = action.locks;
    const wanted = calling.flatMap((run) => keys(run.data));
    const lock = new CallLock(calling, (work) => this.locks.withLock(wanted, terms, work));
    for (const run of calling) run.joinCallLock(lock);
  }

  private persist(tx: Tx, runs: readonly SagaRun[]): void {
    const stuck = runs.filter((run) => run.state === 'STUCK');
    this.outbox.append(
      tx,
      stuck.map((run) => ({
        type: 'saga.stuck',
        subject: run.subject,
        payload: { sagaId: run.id, saga: run.definition.name, failure: run.failure },
      })),
    );
    this.repository.persist(tx, runs, this.config.instanceId, this.config.saga.leaseMs);
  }
}

/** Sagas with a new owner leave the batch. Nothing of theirs was written, because the transaction rolled back. */
function dropLost(members: readonly SagaRun[], lost: ReadonlySet<string>): readonly SagaRun[] {
  for (const run of members) if (lost.has(run.id)) run.lose();
  return members.filter((run) => !run.isLost);
}

function isEverybodys(error: unknown): boolean {
  return isUnavailable(error) || error instanceof LockTimeoutError || error instanceof LockBackendUnavailableError;
}
