import { GatewayRequestError } from '../payment-gateway.js';

/**
 * Where Stripe's minor unit is not ISO 4217's: it still counts ISK and UGX in hundredths, and MGA, which ISO divides by
 * a hundred, in whole units. Everything else agrees.
 */
const MULTIPLIERS: Readonly<Record<string, number>> = { ISK: 100, UGX: 100 };
const DIVISORS: Readonly<Record<string, number>> = { MGA: 100 };

export function toStripeAmount(amount: number, currency: string): number {
  const scaled = (amount * (MULTIPLIERS[currency] ?? 1)) / (DIVISORS[currency] ?? 1);
  if (!Number.isSafeInteger(scaled))
    throw new GatewayRequestError(`Stripe cannot charge a fraction of one ${currency}`);
  return scaled;
}

export function fromStripeAmount(amount: number, currency: string): number {
  const code = currency.toUpperCase();
  return (amount * (DIVISORS[code] ?? 1)) / (MULTIPLIERS[code] ?? 1);
}
