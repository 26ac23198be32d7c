import { Module, OnModuleInit } from '@nestjs/common';
import { CreditModule } from '../credit/credit.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { PaymentModule } from '../payment/payment.module.js';
import { SagaRegistry } from '../saga/saga-registry.js';
import { SagaModule } from '../saga/saga.module.js';
import { BeginCancellationStep } from './cancel/begin-cancellation.step.js';
import { CancelOrderSaga } from './cancel/cancel-order.saga.js';
import { CancelOrderStep } from './cancel/cancel-order.step.js';
import { CancellationRepository } from './cancel/cancellation.repository.js';
import { PendingCancellation } from './cancel/pending-cancellation.service.js';
import { RestockInventoryStep } from './cancel/restock-inventory.step.js';
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
    CancellationRepository,
    BeginCancellationStep,
    RestockInventoryStep,
    CancelOrderStep,
    RefundOrderSaga,
    RequestRefundStep,
    CreditRefunds,
    SettleRefundStep,
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
  ],
})
export class OrdersModule implements OnModuleInit {
  constructor(
    private readonly registry: SagaRegistry,
    private readonly cancelOrder: CancelOrderSaga,
    private readonly refundOrder: RefundOrderSaga,
  ) {}

  onModuleInit(): void {
    this.registry.register(this.cancelOrder);
    this.registry.register(this.refundOrder);
  }
}
