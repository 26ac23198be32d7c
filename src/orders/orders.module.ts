import { Module, OnModuleInit } from '@nestjs/common';
import { CreditModule } from '../credit/credit.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { PaymentModule } from '../payment/payment.module.js';
import { SagaRegistry } from '../saga/saga-registry.js';
import { SagaModule } from '../saga/saga.module.js';
import { BeginCancellationStep } from './cancel/begin-cancellation.step.js';
import { CancelOrderSaga, CancelOrderSagaV1 } from './cancel/cancel-order.saga.js';
import { CancelOrderStep } from './cancel/cancel-order.step.js';
import { CancellationRepository } from './cancel/cancellation.repository.js';
import { PendingCancellation } from './cancel/pending-cancellation.service.js';
import { RestockInventoryStep } from './cancel/restock-inventory.step.js';
import { ReturnPaymentStep } from './cancel/return-payment.step.js';
import { AuthorizationClaims } from './capture/authorization-claims.service.js';
import { AuthorizationCloser } from './capture/authorization-closer.service.js';
import { AuthorizationExpiryJob } from './capture/authorization-expiry.job.js';
import { AuthorizationExpiryRepository } from './capture/authorization-expiry.repository.js';
import { CaptureOrderSaga } from './capture/capture-order.saga.js';
import { CapturePaymentStep } from './capture/capture-payment.step.js';
import { ClaimAuthorizationStep } from './capture/claim-authorization.step.js';
import { CloseAuthorizationSaga } from './capture/close-authorization.saga.js';
import { CloseAuthorizationStep } from './capture/close-authorization.step.js';
import { RequestCaptureStep } from './capture/request-capture.step.js';
import { OrderCommandService } from './order-command.service.js';
import { OrderEventsController } from './order-events.controller.js';
import { OrderEventsService } from './order-events.service.js';
import { OrderQueryService } from './order-query.service.js';
import { OrderSagaService } from './order-saga.service.js';
import { OrderSearchRepository } from './order-search.repository.js';
import { OrderSearchService } from './order-search.service.js';
import { OrderController } from './order.controller.js';
import { OrderRepository } from './order.repository.js';
import { CreditRefunds } from './refund/credit-refunds.service.js';
import { RefundOrderSaga } from './refund/refund-order.saga.js';
import { RequestRefundStep } from './refund/request-refund.step.js';
import { SettleRefundStep } from './refund/settle-refund.step.js';
import { TimelineRepository } from './timeline.repository.js';

/** Orders and what is done to them once they exist. */
@Module({
  imports: [SagaModule, InventoryModule, PaymentModule, CreditModule],
  controllers: [OrderController, OrderEventsController],
  providers: [
    OrderRepository,
    TimelineRepository,
    OrderQueryService,
    OrderSearchRepository,
    OrderSearchService,
    PendingCancellation,
    OrderEventsService,
    OrderSagaService,
    OrderCommandService,
    CancelOrderSaga,
    CancelOrderSagaV1,
    CancellationRepository,
    BeginCancellationStep,
    ReturnPaymentStep,
    RestockInventoryStep,
    CancelOrderStep,
    RefundOrderSaga,
    RequestRefundStep,
    CreditRefunds,
    SettleRefundStep,
    AuthorizationClaims,
    CaptureOrderSaga,
    RequestCaptureStep,
    CapturePaymentStep,
    CloseAuthorizationSaga,
    ClaimAuthorizationStep,
    CloseAuthorizationStep,
    AuthorizationCloser,
    AuthorizationExpiryRepository,
    AuthorizationExpiryJob,
  ],
  exports: [
    OrderRepository,
    OrderQueryService,
    OrderSearchService,
    OrderSearchRepository,
    OrderCommandService,
    TimelineRepository,
    OrderSagaService,
    SettleRefundStep,
    AuthorizationCloser,
  ],
})
export class OrdersModule implements OnModuleInit {
  constructor(
    private readonly registry: SagaRegistry,
    private readonly cancelOrder: CancelOrderSaga,
    private readonly cancelOrderV1: CancelOrderSagaV1,
    private readonly refundOrder: RefundOrderSaga,
    private readonly captureOrder: CaptureOrderSaga,
    private readonly closeAuthorization: CloseAuthorizationSaga,
  ) {}

  onModuleInit(): void {
    this.registry.register(this.cancelOrderV1);
    this.registry.register(this.cancelOrder);
    this.registry.register(this.refundOrder);
    this.registry.register(this.captureOrder);
    this.registry.register(this.closeAuthorization);
  }
}
