import { DynamicModule, Module, OnModuleInit } from '@nestjs/common';
import type { AppConfig } from '../infrastructure/config/app-config.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { LockModule } from '../lock/lock.module.js';
import { OrderModule } from '../order/order.module.js';
import { PaymentModule } from '../payment/payment.module.js';
import { SagaModule } from '../saga/saga.module.js';
import { SagaRegistry } from '../saga/saga-registry.js';
import { BasketService } from './basket.service.js';
import { WebhookWorkerJob } from '../payment/webhooks/webhook-worker.job.js';
import { OrderFacts } from './callbacks/order-facts.js';
import { PaymentCallbackHandler } from './callbacks/payment-callback.handler.js';
import { RefundCallbackHandler } from './callbacks/refund-callback.handler.js';
import { CancellationRepository } from './cancellation.repository.js';
import { CancelOrderSaga } from './cancel-order.saga.js';
import { CheckoutIntake } from './checkout-intake.service.js';
import { CheckoutMetrics } from './checkout-metrics.js';
import { CheckoutController } from './checkout.controller.js';
import { CheckoutSaga } from './checkout.saga.js';
import { CheckoutService } from './checkout.service.js';
import { DeclineLimiter } from './decline-limiter.service.js';
import { InvariantsController } from './invariants/invariants.controller.js';
import { InvariantsJob } from './invariants/invariants.job.js';
import { InvariantsRepository } from './invariants/invariants.repository.js';
import { InvariantsService } from './invariants/invariants.service.js';
import { LedgerAuditService } from './ledger/ledger-audit.service.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { OrderCommandService } from './order-command.service.js';
import { OrderEventsController } from './order-events.controller.js';
import { OrderEventsService } from './order-events.service.js';
import { OrderQueryService } from './order-query.service.js';
import { OrderSagaService } from './order-saga.service.js';
import { OrderController } from './order.controller.js';
import { ReconciliationJob } from './reconciliation/reconciliation.job.js';
import { ReconciliationRepairs } from './reconciliation/reconciliation-repairs.js';
import { ReconciliationRepository } from './reconciliation/reconciliation.repository.js';
import { ReconciliationService } from './reconciliation/reconciliation.service.js';
import { FailedRefundService } from './refund-failures/failed-refund.service.js';
import { RepayRefundSaga } from './refund-failures/repay-refund.saga.js';
import { ReverseRefundStep } from './refund-failures/reverse-refund.step.js';
import { RefundOrderSaga } from './refund-order.saga.js';
import { StateCountsRepository } from './state-counts.repository.js';
import { StateGauges } from './state-gauges.js';
import { BeginCancellationStep } from './steps/begin-cancellation.step.js';
import { CancelOrderStep } from './steps/cancel-order.step.js';
import { ConfirmOrderStep } from './steps/confirm-order.step.js';
import { CreateOrderStep } from './steps/create-order.step.js';
import { OrderCharge } from './steps/order-charge.js';
import { ProcessPaymentStep } from './steps/process-payment.step.js';
import { RefundCharge } from './steps/refund-charge.js';
import { RequestRefundStep } from './steps/request-refund.step.js';
import { ReserveInventoryStep } from './steps/reserve-inventory.step.js';
import { RestockInventoryStep } from './steps/restock-inventory.step.js';
import { SettleRefundStep } from './steps/settle-refund.step.js';
import { RecordStrayStep } from './strays/record-stray.step.js';
import { RefundStraySaga } from './strays/refund-stray.saga.js';
import { RefundStrayStep } from './strays/refund-stray.step.js';
import { RepayStraySaga } from './strays/repay-stray.saga.js';
import { ReverseStrayStep } from './strays/reverse-stray.step.js';
import { StrayService } from './strays/stray.service.js';

const STEPS = [
  CreateOrderStep,
  ReserveInventoryStep,
  OrderCharge,
  ProcessPaymentStep,
  RefundCharge,
  ConfirmOrderStep,
  BeginCancellationStep,
  RequestRefundStep,
  SettleRefundStep,
  RestockInventoryStep,
  CancelOrderStep,
  RecordStrayStep,
  RefundStrayStep,
  ReverseRefundStep,
  ReverseStrayStep,
];

/** The only module that knows all domains. */
@Module({})
export class CheckoutModule implements OnModuleInit {
  constructor(
    private readonly registry: SagaRegistry,
    private readonly checkout: CheckoutSaga,
    private readonly cancelOrder: CancelOrderSaga,
    private readonly refundOrder: RefundOrderSaga,
    private readonly refundStray: RefundStraySaga,
    private readonly repayRefund: RepayRefundSaga,
    private readonly repayStray: RepayStraySaga,
    private readonly webhooks: WebhookWorkerJob,
    private readonly callbacks: PaymentCallbackHandler,
  ) {}

  static register(config: AppConfig, databaseUrl: string): DynamicModule {
    return {
      module: CheckoutModule,
      imports: [LockModule, SagaModule, InventoryModule, OrderModule, PaymentModule.register(config, databaseUrl)],
      controllers: [CheckoutController, OrderController, OrderEventsController, InvariantsController],
      providers: [
        ...STEPS,
        CheckoutSaga,
        CancelOrderSaga,
        RefundOrderSaga,
        RefundStraySaga,
        RepayRefundSaga,
        RepayStraySaga,
        StrayService,
        FailedRefundService,
        OrderFacts,
        PaymentCallbackHandler,
        RefundCallbackHandler,
        OrderSagaService,
        BasketService,
        DeclineLimiter,
        CheckoutMetrics,
        CancellationRepository,
        CheckoutIntake,
        StateCountsRepository,
        StateGauges,
        CheckoutService,
        OrderQueryService,
        OrderEventsService,
        OrderCommandService,
        LedgerRepository,
        LedgerAuditService,
        InvariantsRepository,
        InvariantsService,
        InvariantsJob,
        ReconciliationRepository,
        ReconciliationRepairs,
        ReconciliationService,
        ReconciliationJob,
      ],
    };
  }

  onModuleInit(): void {
    this.registry.register(this.checkout);
    this.registry.register(this.cancelOrder);
    this.registry.register(this.refundOrder);
    this.registry.register(this.refundStray);
    this.registry.register(this.repayRefund);
    this.registry.register(this.repayStray);
    this.webhooks.handleWith(this.callbacks);
  }
}
