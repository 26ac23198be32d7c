import {
  BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  OnApplicationBootstrap,
  OnApplicationShutdown,
} from '@nestjs/common';
import { messageOf } from '../common/error-message.js';
import { APP_CONFIG, type AppConfig } from '../infrastructure/config/app-config.js';
import { TransactionRunner } from '../infrastructure/database/transaction-runner.js';
import { SagaEngine } from './saga-engine.service.js';
import { SagaRegistry } from './saga-registry.js';
import type { SagaRun } from './saga-run.js';
import { ClaimedSaga, MAX_OWNERS, runOf, SagaRepository } from './saga.repository.js';

const CLAIM_BATCH = 100;

/** Heartbeat for what we drive; takeover of what nobody drives any more. Every instance runs it, Postgres arbitrates. */
@Injectable()
export class SagaRecoveryJob implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(SagaRecoveryJob.name);
  private timers: NodeJS.Timeout[] = [];
  private isClaiming = false;
  private isClaimWanted = false;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly repository: SagaRepository,
    private readonly registry: SagaRegistry,
    private readonly engine: SagaEngine,
  ) {}

  onApplicationBootstrap(): void {
    const { leaseMs } = this.config.saga;
    this.timers = [
      setInterval(() => void this.heartbeat(), leaseMs / 4),
      setInterval(() => void this.recover(), Math.min(1_000, leaseMs / 4)),
    ];
  }

  beforeApplicationShutdown(): void {
    const [, recovery] = this.timers;
    clearInterval(recovery);
  }

  /** The heartbeat outlives the drain: what still runs then is still ours. */
  onApplicationShutdown(): void {
    this.timers.forEach((timer) => clearInterval(timer));
  }

  /** Makes a suspended saga due and takes it at once, here, if no other instance is quicker. */
  async wake(sagaId: string): Promise<boolean> {
    const isWoken = await this.repository.wake(this.transactions, sagaId);
    if (isWoken) setImmediate(() => void this.recover());
    return isWoken;
  }

  async recover(): Promise<void> {
    // A claim that is under way may have looked before what we want was due.
    this.isClaimWanted = this.isClaiming;
    if (this.isClaiming || this.engine.capacity === 0) return;
    this.isClaiming = true;
    try {
      const limit = Math.min(CLAIM_BATCH, this.engine.capacity);
      const rows = await this.repository.claim(
        this.transactions,
        this.config.instanceId,
        this.config.saga.leaseMs,
        this.registry.keys(),
        limit,
      );
      if (rows.length > 0) this.logger.log(`claimed ${rows.length} saga(s)`);
      for (const row of rows) this.drive(row);
    } catch (error) {
      this.logger.warn(`could not look for sagas to recover: ${messageOf(error)}`);
    } finally {
      this.isClaiming = false;
      if (this.isClaimWanted) setImmediate(() => void this.recover());
    }
  }

  private async heartbeat(): Promise<void> {
    const { leaseMs } = this.config.saga;
    const now = performance.now();
    const due = this.engine.activeRuns.filter((run) => !run.isNew && !run.isLost && now - run.leasedAt > leaseMs / 5);
    if (due.length === 0) return;
    try {
      const renewed = await this.repository.renew(this.transactions, due, leaseMs);
      for (const run of due) if (renewed.has(run.id)) run.leasedAt = Math.max(run.leasedAt, now);
    } catch (error) {
      this.logger.warn(`could not renew the lease of ${due.length} saga(s): ${messageOf(error)}`);
    }
  }

  /** What ends every process that drives it would go round for ever, and take each time whatever else runs there along. */
  private drive(row: ClaimedSaga): void {
    const lost = row.previous_owner?.split(' ').length ?? 0;
    if (lost < MAX_OWNERS) this.engine.resume(this.toRun(row));
    else this.engine.putAside(this.toRun(row), `${lost} instances in a row were lost while they drove it`);
  }

  private toRun(row: ClaimedSaga): SagaRun {
    const definition = this.registry.find(row.name, row.version);
    if (!definition) throw new Error(`claimed a saga of an unknown definition ${row.name}@${row.version}`);
    const run = runOf(row, definition);
    // What this process itself has locked is ordered by its own queue.
    if (row.previous_owner && row.previous_owner !== this.config.instanceId) run.heirOf = row.previous_owner;
    return run;
  }
}
