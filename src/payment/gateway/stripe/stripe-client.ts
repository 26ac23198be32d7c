import { Stripe } from 'stripe';

export interface StripeClientOptions {
  readonly secretKey: string;
  readonly timeoutMs: number;
  /** Another host that speaks Stripe's protocol, for tests. */
  readonly apiBase?: string | undefined;
}

/**
 * Without the SDK's retries, because an attempt with an unknown outcome must be looked up first. The SDK always makes
 * one: if a connection closes under a request, it repeats the request once under the same key.
 */
export function createStripeClient({ secretKey, timeoutMs, apiBase }: StripeClientOptions): Stripe {
  return new Stripe(secretKey, {
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    ...(apiBase !== undefined && addressOf(new URL(apiBase))),
  });
}

function addressOf(base: URL): { host: string; port: string; protocol: 'http' | 'https' } {
  const protocol = base.protocol === 'http:' ? 'http' : 'https';
  return { host: base.hostname, port: base.port || (protocol === 'http' ? '80' : '443'), protocol };
}
