import { Module, OnModuleInit } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CreditModule } from '../credit/credit.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { CallbackWorkerJob } from '../payment/callbacks/callback-worker.job.js';
import { PaymentModule } from '../payment/payment.module.js';
import { PromotionModule } from '../promotion/promotion.module.js';
import { SagaRegistry } from '../saga/saga-registry.js';
import { SagaModule } from '../saga/saga.module.js';
import { BasketService, CheckoutDraft } from './checkout-draft.service.js';
import { AuthorizationCallbackHandler } from './callbacks/authorization-callback.handler.js';
import { OrderFacts } from './callbacks/order-facts.js';
import { PaymentCallbackHandler } from './callbacks/payment-callback.handler.js';
import { RefundCallbackHandler } from './callbacks/refund-callback.handler.js';
import { CheckoutIntake } from './checkout-intake.service.js';
import { CheckoutMetrics } from './checkout-metrics.js';
import { CheckoutSaga, CheckoutSagaV1 } from './checkout.saga.js';
import { CheckoutController } from './checkout.controller.js';
import { CheckoutService } from './checkout.service.js';
import { DeclineLimiter } from './decline-limiter.service.js';
import { CommandConsumerJob } from './commands/command-consumer.job.js';
import { CommandHandler } from './commands/command-handler.service.js';
import { CommandMetrics } from './commands/command-metrics.js';
import { CommandRunner } from './commands/command-runner.service.js';
import { DeadLetterController } from './commands/dead-letter.controller.js';
import { DeadLetterRepository } from './commands/dead-letter.repository.js';
import { DeadLetterService } from './commands/dead-letter.service.js';
import { ConfirmOrderStep } from './steps/confirm-order.step.js';
import { CreateOrderStep } from './steps/create-order.step.js';
import { HoldCreditStep } from './steps/hold-credit.step.js';
import { OrderCharge } from './steps/order-charge.js';
import { ProcessPaymentStep } from './steps/process-payment.step.js';
import { RefundCharge } from './steps/refund-charge.js';
import { ReserveInventoryStep } from './steps/reserve-inventory.step.js';

/** The way of one checkout, and what the provider reports about it later. */
@Module({
  imports: [SagaModule, InventoryModule, PromotionModule, PaymentModule, CreditModule, OrdersModule, AuditModule],
  controllers: [CheckoutController, DeadLetterController],
  providers: [
    CheckoutService,
    CheckoutIntake,
    CheckoutDraft,
    BasketService,
    DeclineLimiter,
    CheckoutMetrics,
    CheckoutSaga,
    CheckoutSagaV1,
    CreateOrderStep,
    ReserveInventoryStep,
    HoldCreditStep,
    OrderCharge,
    ProcessPaymentStep,
    RefundCharge,
    ConfirmOrderStep,
    OrderFacts,
    PaymentCallbackHandler,
    RefundCallbackHandler,
    AuthorizationCallbackHandler,
    CommandRunner,
    CommandHandler,
    CommandConsumerJob,
    CommandMetrics,
    DeadLetterRepository,
    DeadLetterService,
  ],
  exports: [DeadLetterRepository, DeadLetterService],
})
export class CheckoutModule implements OnModuleInit {
  constructor(
    private readonly registry: SagaRegistry,
    private readonly checkout: CheckoutSaga,
    private readonly checkoutV1: CheckoutSagaV1,
    private readonly callbackWorker: CallbackWorkerJob,
    private readonly callbacks: PaymentCallbackHandler,
  ) {}

  onModuleInit(): void {
    this.registry.register(this.checkoutV1);
    this.registry.register(this.checkout);
    this.callbackWorker.handleWith(this.callbacks);
  }
}
