import { DynamicModule, Module } from '@nestjs/common';
import { APP_CONFIG, AppConfig } from '../../infrastructure/config/app-config.js';
import { PAYMENT_GATEWAY } from './payment-gateway.js';
import { SandboxModule } from './sandbox/sandbox.module.js';
import { createStripeGateway } from './stripe/stripe-gateway.js';

/** The payment provider, by configuration. Routes of the sandbox exist only where the sandbox is the provider. */
@Module({})
export class GatewayModule {
  static register(config: AppConfig, databaseUrl: string): DynamicModule {
    if (config.payment.gateway === 'sandbox') {
      return {
        module: GatewayModule,
        imports: [SandboxModule.register(config, databaseUrl)],
        exports: [SandboxModule],
      };
    }
    return {
      module: GatewayModule,
      providers: [{ provide: PAYMENT_GATEWAY, inject: [APP_CONFIG], useFactory: createStripeGateway }],
      exports: [PAYMENT_GATEWAY],
    };
  }
}
