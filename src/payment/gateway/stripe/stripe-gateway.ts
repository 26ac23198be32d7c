import type { AppConfig } from '../../../infrastructure/config/app-config.js';
import type { PaymentGateway } from '../payment-gateway.js';

export function createStripeGateway(config: AppConfig): PaymentGateway {
  throw new Error(`stripe is not built yet (${config.payment.gateway})`);
}
