import { DynamicModule, Module } from '@nestjs/common';
import type { AppConfig } from '../infrastructure/config/app-config.js';
import { GatewayModule } from './gateway/gateway.module.js';
import { PaymentRepository } from './payment.repository.js';
import { RefundRepository } from './refund.repository.js';
import { RefundService } from './refund.service.js';

@Module({})
export class PaymentModule {
  static register(config: AppConfig, databaseUrl: string): DynamicModule {
    return {
      module: PaymentModule,
      imports: [GatewayModule.register(config, databaseUrl)],
      providers: [PaymentRepository, RefundRepository, RefundService],
      exports: [GatewayModule, PaymentRepository, RefundRepository, RefundService],
    };
  }
}
