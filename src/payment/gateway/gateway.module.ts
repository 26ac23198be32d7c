import { DynamicModule, Global, Module } from '@nestjs/common';
import { APP_CONFIG, AppConfig } from '../../platform/config/app-config.js';
import { PAYMENT_GATEWAY, type PaymentGateway } from './payment-gateway.js';
import { SandboxModule } from './sandbox/sandbox.module.js';

/** The payment provider, chosen by configuration. The sandbox's routes exist only if the sandbox is the provider. */
@Global()
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

/** Loaded on use: the SDK is an eighth of all code to load, and every start would wait for it. */
async function createStripeGateway(config: AppConfig): Promise<PaymentGateway> {
  const { timeoutMs, stripe } = config.payment;
  const { secretKey, webhookSecret, apiBase, returnUrl } = stripe;
  // The configuration refuses to start without them, which the types do not express.
  if (secretKey === undefined || webhookSecret === undefined) throw new Error('Stripe is not configured');
  const { createStripeClient } = await import('./stripe/stripe-client.js');
  const { StripeGateway } = await import('./stripe/stripe-gateway.js');
  return new StripeGateway(createStripeClient({ secretKey, timeoutMs, apiBase }), { webhookSecret, returnUrl });
}
