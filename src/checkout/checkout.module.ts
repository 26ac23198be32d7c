import { Module, OnModuleInit } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { CallbackWorkerJob } from '../payment/callbacks/callback-worker.job.js';
import { PaymentModule } from '../payment/payment.module.js';
import { SagaRegistry } from '../saga/saga-registry.js';
import { SagaModule } from '../saga/saga.module.js';
import { BasketService } from './basket.service.js';
import { OrderFacts } from './callbacks/order-facts.js';
import { PaymentCallbackHandler } from './callbacks/payment-callback.handler.js';
import { RefundCallbackHandler } from './callbacks/refund-callback.handler.js';
import { CheckoutIntake } from './checkout-intake.service.js';
import { CheckoutMetrics } from './checkout-metrics.js';
import { CheckoutTerms } from './checkout-terms.js';
import { CheckoutController } from './checkout.controller.js';
import { CheckoutSaga } from './checkout.saga.js';
import { CheckoutService } from './checkout.service.js';
import { DeclineLimiter } from './decline-limiter.service.js';
import { CommandConsumerJob } from './commands/command-consumer.job.js';
import { CommandHandler } from './commands/command-handler.service.js';
import { CommandMetrics } from './commands/command-metrics.js';
import { CommandRunner } from './commands/command-runner.service.js';
import { DeadLetterPurgeJob } from './commands/dead-letter-purge.job.js';
import { DeadLetterController } from './commands/dead-letter.controller.js';
import { DeadLetterRepository } from './commands/dead-letter.repository.js';
import { DeadLetterService } from './commands/dead-letter.service.js';
import { ConfirmOrderStep } from './steps/confirm-order.step.js';
import { CreateOrderStep } from './steps/create-order.step.js';
import { OrderCharge } from './steps/order-charge.js';
import { ProcessPaymentStep } from './steps/process-payment.step.js';
import { RefundCharge } from './steps/refund-charge.js';
import { ReserveInventoryStep } from './steps/reserve-inventory.step.js';

/** The way of one checkout, and what the provider reports about it later. */
@Module({
  imports: [SagaModule, InventoryModule, PaymentModule, OrdersModule, AuditModule],
  controllers: [CheckoutController, DeadLetterController],
  providers: [
    CheckoutService,
    CheckoutIntake,
    CheckoutTerms,
    BasketService,
    DeclineLimiter,
    CheckoutMetrics,
    CheckoutSaga,
    CreateOrderStep,
    ReserveInventoryStep,
    OrderCharge,
    ProcessPaymentStep,
    RefundCharge,
    ConfirmOrderStep,
    OrderFacts,
    PaymentCallbackHandler,
    RefundCallbackHandler,
    CommandRunner,
    CommandHandler,
    CommandConsumerJob,
    CommandMetrics,
    DeadLetterRepository,
    DeadLetterService,
    DeadLetterPurgeJob,
  ],
})
export class CheckoutModule implements OnModuleInit {
  constructor(
    private readonly registry: SagaRegistry,
    private readonly checkout: CheckoutSaga,
    private readonly callbackWorker: CallbackWorkerJob,
    private readonly callbacks: PaymentCallbackHandler,
  ) {}

  onModuleInit(): void {
    this.registry.register(this.checkout);
    this.callbackWorker.handleWith(this.callbacks);
  }
}
