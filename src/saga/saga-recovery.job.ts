import {
  BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  OnApplicationBootstrap,
  OnApplicationShutdown,
} from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import type { Loop } from '../platform/loops/loop.js';
import { Loops } from '../platform/loops/loops.js';
import { SagaEngine } from './engine/saga-engine.service.js';
import { SagaRegistry } from './saga-registry.js';
import type { SagaRun } from './engine/saga-run.js';
import { ClaimedSaga, MAX_OWNERS, SagaClaimRepository } from './saga-claim.repository.js';
import { runOf } from './saga.repository.js';

const CLAIM_BATCH = 100;
/** Due sagas are noticed within this time, or at once if this instance made them due. */
const MAX_CLAIM_PAUSE_MS = 2_000;

/**
 * Renews the leases of our sagas and takes over those of lost instances. Every instance runs it, and PostgreSQL
 * arbitrates.
 */
@Injectable()
export class SagaRecoveryJob implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger(SagaRecoveryJob.name);
  private readonly heartbeats: Loop;
  private readonly claims: Loop;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly repository: SagaClaimRepository,
    private readonly registry: SagaRegistry,
    private readonly engine: SagaEngine,
    loops: Loops,
  ) {
    const { leaseMs } = config.saga;
    const beatMs = leaseMs / 4;
    const claimMs = Math.min(MAX_CLAIM_PAUSE_MS, leaseMs / 4);
    this.heartbeats = loops.create({
      name: 'saga-heartbeat',
      pace: { firstMs: beatMs, minMs: beatMs, maxMs: beatMs },
      // A hanging heartbeat must not delay the next one, which saves the leases on another connection.
      deadlineMs: beatMs,
      isVital: true,
      round: () => this.heartbeat(),
    });
    this.claims = loops.create({
      name: 'saga-recovery',
      pace: { minMs: 0, maxMs: claimMs },
      isVital: true,
      round: async () => ((await this.claim()) ? 0 : claimMs),
    });
  }

  onApplicationBootstrap(): void {
    this.heartbeats.start();
    this.claims.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.claims.stop();
  }

  /** The heartbeat outlives the drain, because sagas that still run are still ours. */
  onApplicationShutdown(): Promise<void> {
    return this.heartbeats.stop();
  }

  /** Makes a suspended saga due and claims it here at once, unless another instance is faster. */
  async wake(sagaId: string): Promise<boolean> {
    const isWoken = await this.repository.wake(this.transactions, sagaId);
    if (isWoken) this.claims.wake();
    return isWoken;
  }

  /** Claims what is due now. */
  recover(): Promise<void> {
    return this.claims.runNow();
  }

  /** Whether there may be more. */
  private async claim(): Promise<boolean> {
    const limit = Math.min(CLAIM_BATCH, this.engine.capacity);
    if (limit === 0) return false;
    const { instanceId, saga } = this.config;
    const definitions = this.registry.keys();
    const rows = await this.repository.claim(this.transactions, instanceId, saga.leaseMs, definitions, limit);
    if (rows.length > 0) this.logger.log(`claimed ${rows.length} saga(s)`);
    for (const row of rows) this.drive(row);
    return rows.length === limit;
  }

  private async heartbeat(): Promise<void> {
    const { leaseMs } = this.config.saga;
    const now = performance.now();
    const due = this.engine.activeRuns.filter((run) => !run.isNew && !run.isLost && now - run.leasedAt > leaseMs / 5);
    if (due.length === 0) return;
    const renewed = await this.repository.renew(this.transactions, due, leaseMs);
    for (const run of due) if (renewed.has(run.id)) run.renewLease(now);
  }

  /** A saga that crashes every process that runs it would be picked up for ever, taking other sagas down with it. */
  private drive(row: ClaimedSaga): void {
    const lost = row.previous_owner?.split(' ').length ?? 0;
    if (lost < MAX_OWNERS) this.engine.resume(this.toRun(row));
    else this.engine.putAside(this.toRun(row), `${lost} instances in a row were lost while they drove it`);
  }

  private toRun(row: ClaimedSaga): SagaRun {
    const definition = this.registry.find(row.name, row.version);
    if (!definition) throw new Error(`claimed a saga of an unknown definition ${row.name}@${row.version}`);
    const run = runOf(row, definition);
    // Locks of this process itself are ordered by its own queue.
    if (row.previous_owner && row.previous_owner !== this.config.instanceId) run.setHeirOf(row.previous_owner);
    return run;
  }
}
