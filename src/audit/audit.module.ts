import { Module, OnModuleInit } from '@nestjs/common';
import { LockModule } from '../lock/lock.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { PaymentModule } from '../payment/payment.module.js';
import { SagaRegistry } from '../saga/saga-registry.js';
import { SagaModule } from '../saga/saga.module.js';
import { DisputeService } from './disputes/dispute.service.js';
import { ErasureController } from './erasure/erasure.controller.js';
import { ErasureRepository } from './erasure/erasure.repository.js';
import { ErasureService } from './erasure/erasure.service.js';
import { InvariantHistoryRepository } from './invariants/invariant-history.repository.js';
import { InvariantsController } from './invariants/invariants.controller.js';
import { InvariantsJob } from './invariants/invariants.job.js';
import { InvariantsRepository } from './invariants/invariants.repository.js';
import { InvariantsService } from './invariants/invariants.service.js';
import { LedgerAuditService } from './ledger/ledger-audit.service.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { ReconciliationRepairs } from './reconciliation/reconciliation-repairs.js';
import { ReconciliationJob } from './reconciliation/reconciliation.job.js';
import { ReconciliationRepository } from './reconciliation/reconciliation.repository.js';
import { ReconciliationService } from './reconciliation/reconciliation.service.js';
import { FailedRefundService } from './refund-failures/failed-refund.service.js';
import { RepayRefundSaga } from './refund-failures/repay-refund.saga.js';
import { ReverseRefundStep } from './refund-failures/reverse-refund.step.js';
import { RetentionJob } from './retention/retention.job.js';
import { RetentionRepository } from './retention/retention.repository.js';
import { StateCountsRepository } from './state-gauges/state-counts.repository.js';
import { StateGauges } from './state-gauges/state-gauges.js';
import { RecordStrayStep } from './strays/record-stray.step.js';
import { RefundStraySaga } from './strays/refund-stray.saga.js';
import { RefundStrayStep } from './strays/refund-stray.step.js';
import { RepayStraySaga } from './strays/repay-stray.saga.js';
import { ReverseStrayStep } from './strays/reverse-stray.step.js';
import { StrayService } from './strays/stray.service.js';

/**
 * Compares the other modules with each other and with the provider, and pays back money that was captured without an
 * order.
 */
@Module({
  imports: [LockModule, SagaModule, PaymentModule, OrdersModule],
  controllers: [InvariantsController, ErasureController],
  providers: [
    InvariantsRepository,
    InvariantHistoryRepository,
    InvariantsService,
    InvariantsJob,
    LedgerRepository,
    LedgerAuditService,
    ReconciliationRepository,
    ReconciliationRepairs,
    ReconciliationService,
    ReconciliationJob,
    RetentionRepository,
    RetentionJob,
    ErasureRepository,
    ErasureService,
    StateCountsRepository,
    StateGauges,
    DisputeService,
    StrayService,
    RefundStraySaga,
    RepayStraySaga,
    RecordStrayStep,
    RefundStrayStep,
    ReverseStrayStep,
    FailedRefundService,
    RepayRefundSaga,
    ReverseRefundStep,
  ],
  exports: [DisputeService, StrayService, FailedRefundService, InvariantHistoryRepository, StateCountsRepository],
})
export class AuditModule implements OnModuleInit {
  constructor(
    private readonly registry: SagaRegistry,
    private readonly refundStray: RefundStraySaga,
    private readonly repayStray: RepayStraySaga,
    private readonly repayRefund: RepayRefundSaga,
  ) {}

  onModuleInit(): void {
    this.registry.register(this.refundStray);
    this.registry.register(this.repayStray);
    this.registry.register(this.repayRefund);
  }
}
