import { DynamicModule, Module, OnModuleInit } from '@nestjs/common';
import type { AppConfig } from '../infrastructure/config/app-config.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { OrderModule } from '../order/order.module.js';
import { PaymentModule } from '../payment/payment.module.js';
import { SagaModule } from '../saga/saga.module.js';
import { SagaRegistry } from '../saga/saga-registry.js';
import { CancelOrderSaga } from './cancel-order.saga.js';
import { CheckoutController } from './checkout.controller.js';
import { CheckoutSaga } from './checkout.saga.js';
import { CheckoutService } from './checkout.service.js';
import { OrderCommandService } from './order-command.service.js';
import { OrderEventsController } from './order-events.controller.js';
import { OrderEventsService } from './order-events.service.js';
import { OrderQueryService } from './order-query.service.js';
import { OrderSagaService } from './order-saga.service.js';
import { OrderController } from './order.controller.js';
import { RefundOrderSaga } from './refund-order.saga.js';
import { BeginCancellationStep } from './steps/begin-cancellation.step.js';
import { CancelOrderStep } from './steps/cancel-order.step.js';
import { ConfirmOrderStep } from './steps/confirm-order.step.js';
import { CreateOrderStep } from './steps/create-order.step.js';
import { ProcessPaymentStep } from './steps/process-payment.step.js';
import { RefundCharge } from './steps/refund-charge.js';
import { RequestRefundStep } from './steps/request-refund.step.js';
import { ReserveInventoryStep } from './steps/reserve-inventory.step.js';
import { RestockInventoryStep } from './steps/restock-inventory.step.js';
import { SettleRefundStep } from './steps/settle-refund.step.js';

const STEPS = [
  CreateOrderStep,
  ReserveInventoryStep,
  ProcessPaymentStep,
  RefundCharge,
  ConfirmOrderStep,
  BeginCancellationStep,
  RequestRefundStep,
  SettleRefundStep,
  RestockInventoryStep,
  CancelOrderStep,
];

/** The only module that knows all domains. */
@Module({})
export class CheckoutModule implements OnModuleInit {
  constructor(
    private readonly registry: SagaRegistry,
    private readonly checkout: CheckoutSaga,
    private readonly cancelOrder: CancelOrderSaga,
    private readonly refundOrder: RefundOrderSaga,
  ) {}

  static register(config: AppConfig, databaseUrl: string): DynamicModule {
    return {
      module: CheckoutModule,
      imports: [SagaModule, InventoryModule, OrderModule, PaymentModule.register(config, databaseUrl)],
      controllers: [CheckoutController, OrderController, OrderEventsController],
      providers: [
        ...STEPS,
        CheckoutSaga,
        CancelOrderSaga,
        RefundOrderSaga,
        OrderSagaService,
        CheckoutService,
        OrderQueryService,
        OrderEventsService,
        OrderCommandService,
      ],
    };
  }

  onModuleInit(): void {
    this.registry.register(this.checkout);
    this.registry.register(this.cancelOrder);
    this.registry.register(this.refundOrder);
  }
}
