import { Module, OnModuleInit } from '@nestjs/common';
import { IdempotencyPurgeJob } from '../platform/idempotency/idempotency-purge.job.js';
import { LockModule } from '../lock/lock.module.js';
import { SagaCalls } from './engine/saga-calls.service.js';
import { SagaEngine } from './engine/saga-engine.service.js';
import { SagaController } from './operator/saga.controller.js';
import { SagaMetrics } from './engine/saga-metrics.js';
import { SagaTelemetry } from './engine/saga-telemetry.js';
import { SagaTraces } from './engine/saga-traces.js';
import { SagaOperatorRepository } from './operator/saga-operator.repository.js';
import { SagaSearchRepository } from './operator/saga-search.repository.js';
import { SagaOperatorService } from './operator/saga-operator.service.js';
import { SagaRecoveryJob } from './saga-recovery.job.js';
import { SagaRegistry } from './saga-registry.js';
import { SagaStages } from './engine/saga-stages.service.js';
import { SagaClaimRepository } from './saga-claim.repository.js';
import { SagaRepository } from './saga.repository.js';

@Module({
  imports: [LockModule],
  controllers: [SagaController],
  providers: [
    SagaOperatorService,
    SagaOperatorRepository,
    SagaSearchRepository,
    SagaEngine,
    SagaStages,
    SagaCalls,
    SagaRegistry,
    SagaRepository,
    SagaClaimRepository,
    SagaMetrics,
    SagaTraces,
    SagaTelemetry,
    SagaRecoveryJob,
  ],
  exports: [SagaEngine, SagaRegistry, SagaRepository, SagaRecoveryJob, SagaOperatorService, SagaSearchRepository],
})
export class SagaModule implements OnModuleInit {
  constructor(
    private readonly sagas: SagaRepository,
    private readonly keyPurge: IdempotencyPurgeJob,
  ) {}

  onModuleInit(): void {
    this.keyPurge.askAboutSagas(this.sagas);
  }
}
