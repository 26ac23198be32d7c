import { Stripe } from 'stripe';

export interface StripeClientOptions {
  readonly secretKey: string;
  readonly timeoutMs: number;
  /** Another host that speaks the protocol, for tests. */
  readonly apiBase?: string | undefined;
}

/**
 * Without the SDK's retries: whoever repeats an attempt of unknown outcome has to look it up first. One remains, which
 * it cannot be talked out of: a connection that closes under a request is tried once more, under the same key.
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
