import { GatewayRequestError, GatewayUnknownError } from '../payment-gateway.js';

export function serverError(): GatewayUnknownError {
  return new GatewayUnknownError('the sandbox answered with status 500');
}

/** An error with or without effect: the caller cannot tell them apart, which is the point. An outage has no effect. */
export function failingSide(rate: number): 'before' | 'after' | undefined {
  if (rate === 1) return 'before';
  if (Math.random() >= rate) return undefined;
  return Math.random() < 0.5 ? 'before' : 'after';
}

/** Any failure inside the provider means that we got no answer. */
export function asGatewayError(error: unknown): never {
  if (error instanceof GatewayUnknownError || error instanceof GatewayRequestError) throw error;
  throw new GatewayUnknownError('the sandbox failed', { cause: error });
}
