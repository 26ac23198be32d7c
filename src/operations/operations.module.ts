import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CheckoutModule } from '../checkout/checkout.module.js';
import { LockModule } from '../lock/lock.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { PaymentModule } from '../payment/payment.module.js';
import { SagaModule } from '../saga/saga.module.js';
import { ATTENTION_SOURCES, type AttentionSource } from './attention/attention-source.js';
import { AttentionController } from './attention/attention.controller.js';
import { AttentionRepository } from './attention/attention.repository.js';
import { AttentionService } from './attention/attention.service.js';
import { BrokenInvariantsSource } from './attention/sources/broken-invariants.source.js';
import { DeadCallbacksSource } from './attention/sources/dead-callbacks.source.js';
import { DeadDeliveriesSource } from './attention/sources/dead-deliveries.source.js';
import { DeadLettersSource } from './attention/sources/dead-letters.source.js';
import { PaymentAttentionRepository } from './attention/payment-attention.repository.js';
import { DoubtfulPaymentsSource } from './attention/sources/doubtful-payments.source.js';
import { NotedPaymentsSource } from './attention/sources/noted-payments.source.js';
import { StuckSagasSource } from './attention/sources/stuck-sagas.source.js';
import { OperatorActionsController } from './audit-trail/operator-actions.controller.js';
import { OperatorActionsService } from './audit-trail/operator-actions.service.js';
import { BulkRunController } from './bulk/bulk-run.controller.js';
import { BulkRunJob } from './bulk/bulk-run.job.js';
import { BulkRunRepository } from './bulk/bulk-run.repository.js';
import { BulkRunService } from './bulk/bulk-run.service.js';
import { BULK_TARGETS, type BulkTarget } from './bulk/bulk-target.js';
import { CallbacksTarget } from './bulk/targets/callbacks.target.js';
import { DeadLettersTarget } from './bulk/targets/dead-letters.target.js';
import { DeliveriesTarget } from './bulk/targets/deliveries.target.js';
import { OrdersTarget } from './bulk/targets/orders.target.js';
import { SagasTarget } from './bulk/targets/sagas.target.js';
import { ComparisonService } from './comparison/comparison.service.js';
import { DifferencesController } from './comparison/differences.controller.js';
import { ProviderCharges } from './comparison/provider-charges.js';
import { DossierController } from './dossier/dossier.controller.js';
import { DossierRepository } from './dossier/dossier.repository.js';
import { DossierService } from './dossier/dossier.service.js';
import { Backlogs } from './overview/backlogs.js';
import { CounterReader } from './overview/counter-reader.js';
import { HotSkusService } from './overview/hot-skus.service.js';
import { InstanceSamplerJob } from './overview/instance-sampler.job.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewRepository } from './overview/overview.repository.js';
import { OverviewService } from './overview/overview.service.js';
import { OrderFactsRepository } from './preview/order-facts.repository.js';
import { SearchController } from './search/search.controller.js';
import { SearchRepository } from './search/search.repository.js';
import { SearchService } from './search/search.service.js';

const SOURCES = [
  StuckSagasSource,
  DoubtfulPaymentsSource,
  NotedPaymentsSource,
  DeadCallbacksSource,
  DeadDeliveriesSource,
  DeadLettersSource,
  BrokenInvariantsSource,
];

const TARGETS = [SagasTarget, OrdersTarget, CallbacksTarget, DeliveriesTarget, DeadLettersTarget];

/** The operators' room: it reads across all rooms and acts through their services. */
@Module({
  imports: [LockModule, SagaModule, PaymentModule, OrdersModule, AuditModule, CheckoutModule],
  controllers: [
    AttentionController,
    DossierController,
    DifferencesController,
    SearchController,
    OperatorActionsController,
    BulkRunController,
    OverviewController,
  ],
  providers: [
    ...SOURCES,
    {
      provide: ATTENTION_SOURCES,
      inject: SOURCES,
      useFactory: (...sources: AttentionSource[]): readonly AttentionSource[] => sources,
    },
    ...TARGETS,
    {
      provide: BULK_TARGETS,
      inject: TARGETS,
      useFactory: (...targets: BulkTarget[]): readonly BulkTarget[] => targets,
    },
    BulkRunRepository,
    BulkRunService,
    BulkRunJob,
    AttentionRepository,
    PaymentAttentionRepository,
    AttentionService,
    OrderFactsRepository,
    DossierRepository,
    DossierService,
    ProviderCharges,
    ComparisonService,
    SearchRepository,
    SearchService,
    OperatorActionsService,
    CounterReader,
    InstanceSamplerJob,
    OverviewRepository,
    Backlogs,
    OverviewService,
    HotSkusService,
  ],
})
export class OperationsModule {}
