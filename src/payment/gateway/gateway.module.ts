import { DynamicModule, Module } from '@nestjs/common';
import { APP_CONFIG, AppConfig } from '../../infrastructure/config/app-config.js';
import { PAYMENT_GATEWAY } from './payment-gateway.js';
import { SandboxModule } from './sandbox/sandbox.module.js';
import { createStripeClient } from './stripe/stripe-client.js';
import { StripeGateway } from './stripe/stripe-gateway.js';

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

function createStripeGateway(config: AppConfig): StripeGateway {
  const { timeoutMs, stripe } = config.payment;
  const { secretKey, webhookSecret, apiBase, returnUrl } = stripe;
  // The configuration refuses to start without them; the types do not know that.
  if (secretKey === undefined || webhookSecret === undefined) throw new Error('Stripe is not configured');
  return new StripeGateway(createStripeClient({ secretKey, timeoutMs, apiBase }), { webhookSecret, returnUrl });
}
